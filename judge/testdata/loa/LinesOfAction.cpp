#include "LinesOfAction.h"
#include <cstdlib>
#include <iostream>

LinesOfAction::LinesOfAction() {
    const char *start[8] = {".WWWWWW.", "B......B", "B......B", "B......B",
                            "B......B", "B......B", "B......B", ".WWWWWW."};
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) board[y][x] = start[y][x];
    currentPlayer = 'B';
    nextPlayer = 'W';
    blacks = whites = 12;
}

void LinesOfAction::printGame() {
    cout << " ";
    for (char c = 'a'; c <= 'h'; c++) cout << " " << c;
    cout << endl;
    for (int y = 0; y < 8; y++) {
        cout << y;
        for (int x = 0; x < 8; x++) cout << " " << board[y][x];
        cout << endl;
    }
}

char LinesOfAction::getCurrentPlayer() { return currentPlayer; }

void LinesOfAction::swapPlayer() { swap(currentPlayer, nextPlayer); }

static int sign(int n) { return (n > 0) - (n < 0); }

static bool inside(int y, int x) { return y >= 0 && y < 8 && x >= 0 && x < 8; }

// pieces on the whole line through (y, x)
static int onLine(char b[8][8], int y, int x, int dy, int dx) {
    int n = 1;
    for (int i = 1; inside(y + i * dy, x + i * dx); i++) n += b[y + i * dy][x + i * dx] != '.';
    for (int i = 1; inside(y - i * dy, x - i * dx); i++) n += b[y - i * dy][x - i * dx] != '.';
    return n;
}

static bool valid(string s) {
    return s.length() == 2 && s[0] >= 'a' && s[0] <= 'h' && s[1] >= '0' && s[1] <= '7';
}

bool LinesOfAction::move(string from, string to) {
    if (!valid(from) || !valid(to)) return false;
    int x1 = from[0] - 'a', y1 = from[1] - '0', x2 = to[0] - 'a', y2 = to[1] - '0';
    int dx = abs(x1 - x2), dy = abs(y1 - y2);
    if (board[y1][x1] != currentPlayer || board[y2][x2] == currentPlayer) return false;
    if (dx != 0 && dy != 0 && dx != dy) return false;
    int steps = max(dx, dy), sy = sign(y2 - y1), sx = sign(x2 - x1);
    if (steps == 0 || steps != onLine(board, y1, x1, sy, sx)) return false;
    for (int i = 1; i < steps; i++) {
        char c = board[y1 + i * sy][x1 + i * sx];
        if (c == nextPlayer) return false;
    }
    if (board[y2][x2] == 'B') blacks--;
    if (board[y2][x2] == 'W') whites--;
    board[y2][x2] = currentPlayer;
    board[y1][x1] = '.';
    return true;
}

static int flood(char b[8][8], int y, int x, char p) {
    if (y < 0 || y > 7 || x < 0 || x > 7 || b[y][x] != p) return 0;
    b[y][x] = '*';
    int n = 1;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) n += flood(b, y + i, x + j, p);
    return n;
}

bool LinesOfAction::hasConnected(char p) {
    char copy[8][8];
    int fy = -1, fx = -1;
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            copy[y][x] = board[y][x];
            if (board[y][x] == p) { fy = y; fx = x; }
        }
    if (fy < 0) return true;
    return flood(copy, fy, fx, p) == (p == 'B' ? blacks : whites);
}

char LinesOfAction::gameOver() {
    bool b = hasConnected('B'), w = hasConnected('W');
    if (b && w) return 'D';
    if (b) return 'B';
    if (w) return 'W';
    return '-';
}
