"""A first game of Number Connect: growing a territory, and stopping at exactly 15."""

from gridwise.core.lesson import Coached, Lesson

LESSON = Lesson(
    board="4152/6371/2845/9162",
    opening=(
        "You are Player 1 and mark your cells with X. The numbers of your cells add up. Exactly "
        "15 wins at once; one more loses at once."
    ),
    steps=(
        Coached(
            say=(
                "Your first cell may be anywhere. A good one has different numbers around it. "
                "Claim the 4 on 2,2: beside it are 7, 8, 5 and 6."
            ),
            move="2,2",
            otherwise="For this lesson, begin with the 4 on 2,2.",
            because="Your total is 4. Player 2 has begun in the corner, with a 4 as well.",
            then="0,0",
        ),
        Coached(
            say=(
                "From now on you claim next to a cell of yours. You need 11 more. The 5 on 2,3 "
                "makes 9, and then the 6 on 3,2 would make 15. Player 2 is too far away to take "
                "it. Claim 2,3."
            ),
            move="2,3",
            otherwise="Think two cells ahead: 4 and 5 and 6 make 15. Claim the 5 on 2,3.",
            because="Your total is 9. Player 2 has 10 and threatens to find a 5.",
            then="1,0",
        ),
        Coached(
            say="You need exactly 6, and it is below your first cell. Claim 3,2.",
            move="3,2",
            otherwise="That is not 15. A 7 or an 8 would even be too much. The 6 is on 3,2.",
            because="4 and 5 and 6: exactly 15.",
        ),
    ),
    end=(
        "You have won. If you can claim something you must, even if it takes you over 15. So keep "
        "small numbers within reach."
    ),
)
