"""A first game of Grid Runner: a race, a block, and the last step."""

from gridwise.core.lesson import Coached, Lesson

LESSON = Lesson(
    board="..X../...../X.X.X/...../..X..",
    opening=(
        "You are Player 1, the blue token on A1. You want to be on E5, where Player 2 begins. "
        "Player 2 wants A1. Dark cells are obstacles."
    ),
    steps=(
        Coached(
            say="A step goes up, down, left or right. Begin with a step to the right, to B1.",
            move="right",
            otherwise="That is just as good. For this lesson, step right, to B1.",
            because=(
                "Player 2 comes the other way. After two more steps each, you are on C2 and "
                "Player 2 is on D3, in a narrow passage."
            ),
            then="left down up right up",
        ),
        Coached(
            say=(
                "Nobody may enter a cell that is taken. Player 2 wants to go up through D2, and "
                "left and right of D3 are obstacles. Step right, to D2, and be in the way."
            ),
            move="right",
            otherwise="That leaves the passage open. Block it: step right, to D2.",
            because="Player 2 had only one step left: back down.",
            then="down",
        ),
        Coached(
            say=(
                "Every step that Player 2 loses is yours. You still need four. Follow: step down, "
                "to D3."
            ),
            move="down",
            otherwise="That is a detour. The way to E5 leads down, through D3.",
            because=(
                "Player 2 turned left to find another way, and you walked on to E4. Player 2 is "
                "still three steps from A1."
            ),
            then="left down left right up",
        ),
        Coached(
            say="E5 is right below you. Step down.",
            move="down",
            otherwise="Not now: E5 is right below you.",
            because="You stand where Player 2 began.",
        ),
    ),
    end=(
        "You have won. When nobody errs, Player 1 always does, by one step; so swap sides after "
        "each game."
    ),
)
