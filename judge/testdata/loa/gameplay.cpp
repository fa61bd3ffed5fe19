#include "LinesOfAction.h"
#include <iostream>

int main() {
    LinesOfAction game;
    string from, to;
    while (game.gameOver() == '-') {
        game.printGame();
        char p = game.getCurrentPlayer();
        cout << p << "'s move: ";
        cin >> from >> to;
        while (cin && !game.move(from, to)) {
            cout << "Invalid move. Try again!" << endl << p << "'s move: ";
            cin >> from >> to;
        }
        if (!cin) return 1;
        game.swapPlayer();
    }
    game.printGame();
    char r = game.gameOver();
    if (r == 'B' || r == 'W') cout << r << " wins!" << endl;
    else cout << "Draw game!" << endl;
    return 0;
}
