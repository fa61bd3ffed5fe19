// A program for the league of a class. It speaks the part of UGI that the league needs.
//
//	g++ -O1 -o mine examples/league/league.cpp
//	quintet arena othello --a "ugi[guided]:./mine" --b level:1 --nodes 1000 --games 10
//
// It plays a random move: replace choose() by something better. A program that looks neither at the
// clock nor at other chance than its own seed plays every game again in the same way.
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>
using namespace std;

mt19937 chance(1);

// choose returns one of the legal moves. position is the text of the board and the side to move, row
// by row, as docs/rules.md describes it; nodes is how many positions you may search.
string choose(const string &position, const vector<string> &moves, long nodes) {
    return moves[chance() % moves.size()];
}

int main() {
    string line, position;
    while (getline(cin, line)) {
        istringstream words(line);
        string word, move;
        long nodes = 0;
        words >> word;
        if (word == "ugi") {
            cout << "id name Random\nugiok" << endl;
        } else if (word == "isready") {
            cout << "readyok" << endl;
        } else if (word == "position") { // position fen TEXT
            position = line.substr(line.find(" fen ") + 5);
        } else if (word == "go") { // go nodes 1000 searchmoves e3 d3
            vector<string> moves;
            words >> word >> nodes >> word;
            while (words >> move) moves.push_back(move);
            cout << "bestmove " << choose(position, moves, nodes) << endl;
        } else if (word == "quit") {
            return 0;
        }
    }
}
