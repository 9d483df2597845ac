"""A first game of Grid Conquest: what a claim turns up, for you and for the other."""

from gridwise.core.lesson import Coached, Lesson

LESSON = Lesson(
    board="53152/24251/43453/31523/22214",
    opening=(
        "All cells are face down. Under each is a number from 1 to 5. The first player with 15 "
        "points wins."
    ),
    steps=(
        Coached(
            say=(
                "You claim any cell that is free, and score what is under it. But the cells "
                "around it are turned up as well, diagonals too, and Player 2 is next to choose. "
                "A corner shows only three. Claim the corner A1."
            ),
            move="A1",
            otherwise="That would turn up more cells for Player 2 to choose from. Claim A1.",
            because=(
                "A lucky 5. A2, B1 and B2 were turned up, and Player 2 took the best of them, "
                "the 4 on B2. That turned up more."
            ),
            then="B2",
        ),
        Coached(
            say=(
                "Two 4s are on show: C1 and C3. C3 is in the middle and would turn up five more "
                "cells, C1 at the rim only two. Take C1."
            ),
            move="C1",
            otherwise="Look for a 4 that turns up little: C1.",
            because=(
                "You have 9. Player 2 took the other 4, on C3, and that turned up three 5s: on "
                "B4, C4 and D3."
            ),
            then="C3",
        ),
        Coached(
            say="Now it is you who profits. Take the 5 on B4.",
            move="B4",
            otherwise="There are 5s on show. Take the one on B4.",
            because="You have 14. Player 2 took the 5 on C4 and has 13.",
            then="C4",
        ),
        Coached(
            say=(
                "Whatever you claim brings you to 15. Waiting for a 5 is not needed, but there is "
                "still one: take D3."
            ),
            move="D3",
            otherwise="That would win as well. Take the 5 on D3, for the style of it.",
            because="19 points: more than enough.",
        ),
    ),
    end=(
        "You have won. Who begins is decided by a coin, and beginning helps: play an even number "
        "of games."
    ),
)
