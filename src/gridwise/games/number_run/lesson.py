"""A first game of Number Run: scores, a challenge, and the way into the other corner."""

from gridwise.core.lesson import Coached, Lesson

LESSON = Lesson(
    board="31425/25134/42513/14252/53142",
    opening=(
        "You are Player 1, the blue token in the top left corner. You want to stand in the other "
        "corner, where Player 2 begins. Player 2 wants yours."
    ),
    steps=(
        Coached(
            say=(
                "You step one cell up, down, left or right, and never onto a cell you have been "
                "on. From a corner there are two ways. Step right, to 0,1."
            ),
            move="0,1",
            otherwise="That is a fair step too. For this lesson, step right: to 0,1.",
            because=(
                "You scored the number you stepped on: 1. Your corner is marked with an x now: "
                "you may not come back. Player 2 has stepped up and scored 2."
            ),
            then="3,4",
        ),
        Coached(
            say=(
                "Points alone win nothing, but they count when the tokens meet. There is a 4 to "
                "your right and a 5 below. Take the 5: step down, to 1,1."
            ),
            move="1,1",
            otherwise="That would be a 4. The 5 is below you, on 1,1.",
            because=(
                "You have 6. Then Player 2 went left and up, and you went right: the tokens are "
                "coming close. You have 7, Player 2 has 8."
            ),
            then="3,3 1,2 2,3",
        ),
        Coached(
            say=(
                "Below you, on 2,2, is a 5, right beside Player 2. Entering it makes you 12, "
                "against 8. Whoever ends a step next to the opponent may challenge, and the "
                "higher score wins. Step to 2,2 and say yes to the challenge."
            ),
            move="2,2!",
            otherwise="Not that one: step down to 2,2, where the 5 is, and challenge.",
            because=(
                "12 beats 8. Player 2 is back in the corner with no points, and may not use the "
                "cells visited before. You walk on, down the right side; Player 2 has a long way "
                "to go."
            ),
            then="4,3 2,3 4,2 2,4 4,1 3,4 4,0",
        ),
        Coached(
            say="Player 2's corner is right below you and empty. Step onto 4,4.",
            move="4,4",
            otherwise="Not now: the corner is right below you, on 4,4.",
            because="You stand where Player 2 began.",
        ),
    ),
    end=(
        "You have won. One more thing to know: whoever has nowhere to go when the turn begins has "
        "lost. So keep a way out."
    ),
)
