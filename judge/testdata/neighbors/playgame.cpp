#include "Neighbors.h"
#include <iostream>

int main() {
    Neighbors game;
    string from, to;
    while (game.gameOver() == '-') {
        game.printGame();
        char p = game.getCurrentPlayer();
        if (game.isIsolated(p)) {
            cout << p << " has to pass!" << endl;
        } else {
            while (true) {
                cout << p << "'s move: ";
                if (!(cin >> from >> to)) return 1;
                if (game.move(from, to)) break;
                cout << "Invalid move. Try again!" << endl;
            }
        }
        game.swapPlayer();
    }
    game.printGame();
    char r = game.gameOver();
    if (r == 'B' || r == 'W') cout << r << " wins!" << endl;
    else cout << "Draw game!" << endl;
    return 0;
}
