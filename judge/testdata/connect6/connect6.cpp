// Connect6, as a student would write it: C output, one big function.
#include <cstdio>
#include <iostream>
using std::cin;

const int N = 19;

static char board[N][N];

void show(const char b[][N]) {
    printf("  ");
    for (int c = 0; c < N; ++c) printf(" %c", 'A' + c);
    printf("\n");
    for (int r = 0; r < N; ++r) {
        printf("%2d", r);
        for (int c = 0; c < N; ++c) printf(" %c", b[r][c]);
        printf("\n");
    }
}

int count(const char b[][N], int r, int c, int dr, int dc) {
    int n = 0;
    for (int i = r + dr, j = c + dc; i >= 0 && i < N && j >= 0 && j < N && b[i][j] == b[r][c]; i += dr, j += dc) n++;
    return n;
}

enum { GO_ON, WIN, DRAW };

int over(const char b[][N], int r, int c) {
    int d[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (auto &v : d)
        if (1 + count(b, r, c, v[0], v[1]) + count(b, r, c, -v[0], -v[1]) >= 6) return WIN;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (b[i][j] == '.') return GO_ON;
    return DRAW;
}

int main() {
    for (auto &row : board)
        for (char &c : row) c = '.';
    show(board);
    char player = 'B';
    int left = 1;
    for (;;) {
        printf("%c's turn: ", player);
        fflush(stdout);
        char col;
        int row;
        if (!(cin >> col)) return 1;
        if (!(cin >> row)) {
            if (cin.eof()) return 1;
            cin.clear();
            cin.ignore(10000, '\n');
            puts("Invalid move. Enter again!");
            continue;
        }
        int c = col - 'A';
        if (c < 0 || c >= N || row < 0 || row >= N || board[row][c] != '.') {
            puts("Invalid move. Enter again!");
            continue;
        }
        board[row][c] = player;
        show(board);
        int state = over(board, row, c);
        if (state == WIN) {
            printf("%s wins!\n", player == 'B' ? "Black" : "White");
            return 0;
        }
        if (state == DRAW) {
            printf("Draw game!\n");
            return 0;
        }
        if (--left == 0) {
            player = player == 'B' ? 'W' : 'B';
            left = 2;
        }
    }
}
