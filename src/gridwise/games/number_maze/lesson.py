"""A first game of Number Maze: exact distances, dead ends, and a launching pad."""

from gridwise.core.lesson import Coached, Lesson

LESSON = Lesson(
    board="1324/2132/4213/3421",
    opening=(
        "You are Player 1, the blue token in the top left corner, on a 1. You want to land on the "
        "other corner, where Player 2 begins. Player 2 wants yours."
    ),
    steps=(
        Coached(
            say=(
                "The number you stand on, small in the corner of your cell, is how far you must "
                "go: in one straight line, exactly that far. You are on a 1. To the right is a "
                "3, which leads down to a 4; and nobody can go four steps on this board. So go "
                "down."
            ),
            move="down",
            otherwise=(
                "From the 3 on the right there is only one way, down to a 4, and a 4 is a dead "
                "end: without a move you lose. Go down instead."
            ),
            because="You are on a 2 now. Player 2 stood on a 1 and went left.",
            then="left",
        ),
        Coached(
            say=(
                "You must go two steps: right, or down. To the right is a 3 in the middle of the "
                "board, and from there every way leads off the grid. Down is a 3 in the corner. "
                "Go down."
            ),
            move="down",
            otherwise="On that 3 you would be stuck: three steps lead off the grid every way.",
            because=(
                "You are on a 3 in the bottom left corner. Player 2 could not land on you, so "
                "there was only one move left: up."
            ),
            then="up",
        ),
        Coached(
            say=(
                "Three steps to the right of you is Player 2's corner. You may jump over anything "
                "on the way. Go right."
            ),
            move="right",
            otherwise="Count three steps to the right: that is the corner you want.",
            because="You landed on it exactly.",
        ),
    ),
    end=(
        "You have won. Passing over the corner would not have been enough. Before you land, count "
        "the ways out: most games end with somebody stuck."
    ),
)
