// Othello with pits, as a student would write it.
#include <iostream>
#include <iomanip>
using namespace std;

const int N = 8;

void init(char b[][N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[i][j] = '.';
    b[N/2-1][N/2-1] = b[N/2][N/2] = 'X';
    b[N/2-1][N/2] = b[N/2][N/2-1] = 'O';
}

void print(char b[][N]) {
    cout << "  ";
    for (int j = 0; j < N; j++)
        cout << setw(2) << (char)('A' + j);
    cout << endl;
    for (int i = 0; i < N; i++) {
        cout << setw(2) << i + 1 << " ";
        for (int j = 0; j < N; j++)
            cout << b[i][j] << " ";
        cout << endl;
    }
}

bool inBoard(int y, int x) { return y >= 0 && y < N && x >= 0 && x < N; }

void readCell(int &y, int &x) {
    char c;
    cin >> c >> y;
    while (cin.fail()) {
        if (cin.eof()) exit(1);
        cin.clear();
        cin.ignore(1000, '\n');
        y = -1;
        x = -1;
        return;
    }
    x = c < 'a' ? c - 'A' : c - 'a';
    y--;
}

// flips if flip is true; returns the number of discs
int check(char b[][N], char p, int y, int x, bool flip) {
    if (!inBoard(y, x) || b[y][x] != '.') return 0;
    char other = p == 'X' ? 'O' : 'X';
    int total = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            if (dy == 0 && dx == 0) continue;
            int k = 1;
            while (inBoard(y + k * dy, x + k * dx) && b[y + k * dy][x + k * dx] == other) k++;
            if (k > 1 && inBoard(y + k * dy, x + k * dx) && b[y + k * dy][x + k * dx] == p) {
                total += k - 1;
                if (flip)
                    for (int m = 1; m < k; m++) b[y + m * dy][x + m * dx] = p;
            }
        }
    if (flip && total > 0) b[y][x] = p;
    return total;
}

bool hasMove(char b[][N], char p) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (check(b, p, i, j, false)) return true;
    return false;
}

bool hasEmpty(char b[][N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (b[i][j] == '.') return true;
    return false;
}

void addPits(char b[][N]) {
    int n;
    do {
        cout << "Enter number of pits: ";
        cin >> n;
        if (cin.eof()) exit(1);
        if (n > N * N / 2) cout << "Too many pits!" << endl;
    } while (n > N * N / 2);
    for (int i = 1; i <= n; i++) {
        int y, x;
        while (true) {
            cout << "Enter position for pit " << i << ": ";
            readCell(y, x);
            if (inBoard(y, x) && b[y][x] == '.') break;
            cout << "Invalid position!" << endl;
        }
        b[y][x] = '#';
    }
}

int main() {
    char b[N][N];
    init(b);
    addPits(b);
    char p = 'X';
    int round = 1, passes = 0;
    while (hasEmpty(b) && passes < 2) {
        cout << "Round " << round++ << ":" << endl;
        print(b);
        if (hasMove(b, p)) {
            passes = 0;
            int y, x;
            while (true) {
                cout << "Player " << p << "'s turn: ";
                readCell(y, x);
                if (check(b, p, y, x, true)) break;
                cout << "Invalid move!" << endl;
            }
        } else {
            cout << "Player " << p << " has no valid moves! Pass!" << endl;
            passes++;
        }
        p = p == 'X' ? 'O' : 'X';
    }
    cout << "Game over:" << endl;
    print(b);
    int x = 0, o = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            if (b[i][j] == 'X') x++;
            if (b[i][j] == 'O') o++;
        }
    if (x > o) cout << "Player X wins!" << endl;
    else if (o > x) cout << "Player O wins!" << endl;
    else cout << "Draw game!" << endl;
    return 0;
}
