#include "Neighbors.h"
#include <cstdlib>
#include <iostream>

Neighbors::Neighbors() {
    const char *start[8] = {".BBBWWW.", "W......B", "W......B", "W......B",
                            "B......W", "B......W", "B......W", ".WWWBBB."};
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) board[y][x] = start[y][x];
    currentPlayer = 'B';
    nextPlayer = 'W';
    blacks = whites = 12;
}

void Neighbors::printGame() const {
    cout << " ";
    for (char c = 'a'; c <= 'h'; c++) cout << " " << c;
    cout << endl;
    for (int y = 0; y < 8; y++) {
        cout << y;
        for (int x = 0; x < 8; x++) cout << " " << board[y][x];
        cout << endl;
    }
}

char Neighbors::getCurrentPlayer() const { return currentPlayer; }

void Neighbors::swapPlayer() { swap(currentPlayer, nextPlayer); }

static int around(const char b[8][8], int y, int x) {
    int k = 0;
    for (int i = y - 1; i <= y + 1; i++)
        for (int j = x - 1; j <= x + 1; j++)
            if (i >= 0 && i < 8 && j >= 0 && j < 8 && (i != y || j != x) && b[i][j] != '.') k++;
    return k;
}

static bool valid(string s) {
    return s.length() == 2 && s[0] >= 'a' && s[0] <= 'h' && s[1] >= '0' && s[1] <= '7';
}

bool Neighbors::move(string from, string to) {
    if (!valid(from) || !valid(to)) return false;
    int x1 = from[0] - 'a', y1 = from[1] - '0', x2 = to[0] - 'a', y2 = to[1] - '0';
    int dx = abs(x1 - x2), dy = abs(y1 - y2);
    if (board[y1][x1] != currentPlayer || board[y2][x2] == currentPlayer) return false;
    if (dx != 0 && dy != 0 && dx != dy) return false;
    if (max(dx, dy) != around(board, y1, x1)) return false;
    if (board[y2][x2] == 'B') blacks--;
    if (board[y2][x2] == 'W') whites--;
    board[y2][x2] = currentPlayer;
    board[y1][x1] = '.';
    return true;
}

bool Neighbors::isIsolated(char p) const {
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            if (board[y][x] == p && around(board, y, x) > 0) return false;
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

bool Neighbors::hasConnected(char p) const {
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

char Neighbors::gameOver() const {
    bool b = hasConnected('B'), w = hasConnected('W');
    if (b && w) return 'D';
    if (b) return 'B';
    if (w) return 'W';
    if (isIsolated('B') && isIsolated('W')) return 'I';
    return '-';
}
