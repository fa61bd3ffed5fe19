// Chess, as a student would write it, in one file instead of the course's many.
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <vector>
using namespace std;

enum Color { BLACK, WHITE };

class Board;

class Piece {
public:
    Piece(Color c, char l, int s) : color(c), label(l), score(s), moved(false) {}
    virtual ~Piece() {}
    virtual bool canMove(Board &b, int y1, int x1, int y2, int x2) = 0;
    Color color;
    char label;
    int score;
    bool moved;
};

class Board {
public:
    Piece *cell[8][8];
    Board();
    void print();
    bool empty(int y, int x) { return cell[y][x] == 0; }
    bool clear(int y1, int x1, int y2, int x2) {
        int dy = (y2 > y1) - (y2 < y1), dx = (x2 > x1) - (x2 < x1);
        for (y1 += dy, x1 += dx; y1 != y2 || x1 != x2; y1 += dy, x1 += dx)
            if (cell[y1][x1]) return false;
        return true;
    }
    int sum(Color c) {
        int n = 0;
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++)
                if (cell[y][x] && cell[y][x]->color == c) n += cell[y][x]->score;
        return n;
    }
    bool move(Color turn, int y1, int x1, int y2, int x2, bool &king);
};

#define PIECE(NAME, LETTER, SCORE, RULE)                                        \
    class NAME : public Piece {                                                 \
    public:                                                                     \
        NAME(Color c) : Piece(c, c == BLACK ? LETTER : LETTER + 32, SCORE) {}   \
        bool canMove(Board &b, int y1, int x1, int y2, int x2) {                \
            int dy = abs(y1 - y2), dx = abs(x1 - x2);                           \
            (void)b;                                                            \
            return RULE;                                                        \
        }                                                                       \
    };

PIECE(King, 'K', 1000, dy <= 1 && dx <= 1)
PIECE(Knight, 'N', 10, dy * dx == 2)
PIECE(Rook, 'R', 5, (dy == 0 || dx == 0) && b.clear(y1, x1, y2, x2))
PIECE(Bishop, 'B', 20, dy == dx && b.clear(y1, x1, y2, x2))
PIECE(Queen, 'Q', 50, (dy == dx || dy == 0 || dx == 0) && b.clear(y1, x1, y2, x2))

class Pawn : public Piece {
public:
    Pawn(Color c) : Piece(c, c == BLACK ? 'P' : 'p', 1) {}
    bool canMove(Board &b, int y1, int x1, int y2, int x2) {
        int f = color == BLACK ? 1 : -1;
        if (x1 == x2 && y2 == y1 + f) return b.empty(y2, x2);
        if (x1 == x2 && y2 == y1 + 2 * f) return !moved && b.empty(y2, x2) && b.empty(y1 + f, x1);
        return abs(x1 - x2) == 1 && y2 == y1 + f && !b.empty(y2, x2);
    }
};

Board::Board() {
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) cell[y][x] = 0;
    for (int i = 0; i < 2; i++) {
        Color c = i ? WHITE : BLACK;
        Piece *row[8] = {new Rook(c), new Knight(c), new Bishop(c), new Queen(c), new King(c), new Bishop(c), new Knight(c), new Rook(c)};
        for (int x = 0; x < 8; x++) {
            cell[i * 7][x] = row[x];
            cell[i ? 6 : 1][x] = new Pawn(c);
        }
    }
}

void Board::print() {
    string line = "  ---------------------------------";
    cout << " ";
    for (char c = 'A'; c <= 'H'; c++) cout << "   " << c;
    cout << "  " << endl << line << endl;
    for (int y = 0; y < 8; y++) {
        cout << y + 1;
        for (int x = 0; x < 8; x++) cout << " | " << (cell[y][x] ? cell[y][x]->label : ' ');
        cout << " | " << endl << line << endl;
    }
}

bool Board::move(Color turn, int y1, int x1, int y2, int x2, bool &king) {
    if (y1 < 0 || y1 > 7 || x1 < 0 || x1 > 7 || y2 < 0 || y2 > 7 || x2 < 0 || x2 > 7) return false;
    Piece *p = cell[y1][x1], *q = cell[y2][x2];
    if (p == 0 || p->color != turn || (y1 == y2 && x1 == x2)) return false;
    if (q && q->color == turn) return false;
    if (!p->canMove(*this, y1, x1, y2, x2)) return false;
    if (q && q->score == 1000) king = true;
    p->moved = true;
    cell[y2][x2] = p;
    cell[y1][x1] = 0;
    return true;
}

int column(char c) { return c < 'a' ? c - 'A' : c - 'a'; }

int main() {
    srand(time(0));
    int mode;
    cout << "Choose game mode (1, 2, 3): ";
    cin >> mode;
    if (cin.eof()) return 1;
    Board b;
    bool stop = false;
    Color turn = WHITE;
    for (int round = 1; !stop; round++) {
        cout << "Round " << round << ":" << endl;
        b.print();
        string name = turn == WHITE ? "White" : "Black";
        bool human = mode == 1 || (mode == 2 && turn == WHITE);
        while (human) {
            cout << name << "'s turn: ";
            char c1, c2;
            int n1, n2;
            if (!(cin >> c1 >> n1 >> c2 >> n2)) {
                if (cin.eof()) return 1;
                cin.clear();
                cin.ignore(10000, '\n');
                cout << "invalid input!" << endl;
                continue;
            }
            if (c1 == 'Z' && c2 == 'Z' && n1 == 0 && n2 == 0) {
                stop = true;
                break;
            }
            if (b.move(turn, n1 - 1, column(c1), n2 - 1, column(c2), stop)) break;
            cout << "invalid input!" << endl;
        }
        for (int i = 0; !human && i < 200000; i++) {
            int y1 = rand() % 8, x1 = rand() % 8, y2 = rand() % 8, x2 = rand() % 8;
            if (b.move(turn, y1, x1, y2, x2, stop)) {
                cout << name << "'s turn: " << (char)('A' + x1) << y1 + 1 << " " << (char)('A' + x2) << y2 + 1 << endl;
                break;
            }
        }
        turn = turn == WHITE ? BLACK : WHITE;
    }
    int w = b.sum(WHITE), k = b.sum(BLACK);
    if (w > k) cout << "White wins!" << endl;
    else if (k > w) cout << "Black wins!" << endl;
    else cout << "Draw game!" << endl;
    return 0;
}
