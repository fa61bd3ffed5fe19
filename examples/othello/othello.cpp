// An engine for Othello that speaks UGI and generates the moves itself.
//
//	g++ -O1 -o mine examples/othello/othello.cpp
//	quintet engine --check ./mine othello
//	quintet arena othello --a "ugi:./mine" --b level:1 --games 10
//
// It turns over as many discs as it can: replace choose() by something better.
#include <iostream>
#include <sstream>
#include <string>
#include <vector>
using namespace std;

struct Board {
    vector<string> rows; // X, O, "." for an empty cell, # for a pit
    char side;

    // read reads a position such as "8/8/8/3XO3/3OX3/8/8/8 X": digits count empty cells.
    void read(istream &in) {
        string row;
        rows.clear();
        char c = 0, last = '/';
        for (in >> ws; in.get(c) && c != ' '; last = c) {
            if (last == '/') rows.emplace_back();
            if (isdigit(c)) {
                in.unget();
                int n;
                in >> n;
                rows.back().append(n, '.');
            } else if (c != '/') {
                rows.back() += c;
            }
        }
        in >> side;
    }

    char at(int row, int col) const {
        bool inside = row >= 0 && col >= 0 && row < (int)rows.size() && col < (int)rows.size();
        return inside ? rows[row][col] : '#';
    }

    // place puts a disc on a cell, and returns how many discs it turns over; 0 if that is illegal.
    int place(int row, int col) {
        int turned = 0;
        if (at(row, col) != '.') return 0;
        for (int down = -1; down <= 1; down++) {
            for (int right = -1; right <= 1; right++) {
                int n = 1;
                while (at(row + n * down, col + n * right) == other()) n++;
                if (at(row + n * down, col + n * right) != side) continue;
                for (turned += --n; n > 0; n--) rows[row + n * down][col + n * right] = side;
            }
        }
        if (turned) rows[row][col] = side;
        return turned;
    }

    char other() const { return side == 'X' ? 'O' : 'X'; }

    void play(const string &move) {
        if (move != "pass") place(stoi(move.substr(1)) - 1, move[0] - 'a');
        side = other();
    }

    // result returns what UGI calls the result: none while a side can move.
    string result() const {
        Board next = *this;
        next.side = other();
        if (choose() != "pass" || next.choose() != "pass") return "none";
        int lead = 0;
        for (auto &row : rows)
            for (char c : row) lead += (c == 'X') - (c == 'O');
        return lead > 0 ? "p1win" : lead < 0 ? "p2win" : "draw";
    }

    // choose returns the move that turns over the most discs, or pass.
    string choose() const {
        string best = "pass";
        int most = 0;
        for (int row = 0; row < (int)rows.size(); row++) {
            for (int col = 0; col < (int)rows.size(); col++) {
                Board next = *this;
                if (int turned = next.place(row, col); turned > most) {
                    most = turned;
                    best = char('a' + col) + to_string(row + 1);
                }
            }
        }
        return best;
    }
};

int main() {
    string line;
    Board board;
    bool searching = false; // until stop
    while (getline(cin, line)) {
        istringstream words(line);
        string word;
        words >> word;
        if (word == "ugi") {
            cout << "id name Greedy\nugiok" << endl;
        } else if (word == "isready") {
            cout << "readyok" << endl;
        } else if (word == "position") { // position fen TEXT moves e3 d3
            words >> word;
            istringstream start("8/8/8/3XO3/3OX3/8/8/8 X");
            board.read(word == "fen" ? (istream &)words : start);
            for (words >> word, word = ""; words >> word;) board.play(word);
        } else if (word == "query") {
            words >> word;
            bool yes = word == "p1turn" ? board.side == 'X' : board.result() != "none";
            cout << "response " << (word == "result" ? board.result() : yes ? "true" : "false") << endl;
        } else if (word == "go") {
            word = "infinite";
            words >> word;
            searching = word == "infinite";
            if (!searching) cout << "bestmove " << board.choose() << endl;
        } else if (word == "stop" && searching) {
            searching = false;
            cout << "bestmove " << board.choose() << endl;
        } else if (word == "quit") {
            return 0;
        }
    }
}
