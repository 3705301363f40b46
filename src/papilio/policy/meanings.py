"""Whom each requirement stops, and whom not: told beside the key that demands it."""

from __future__ import annotations

from papilio.policy.words import Meaning

K = Meaning(
    title="k: nobody stands alone",
    stops=(
        "Someone who knows a person’s age, postcode and the like, and looks for their row. They "
        "find at least k rows and pick the right one with a chance of at most 1 in k."
    ),
    does_not_stop=(
        "Someone who does not care which row is whose, because all of them have the same sensitive "
        "value. Ask for l or t as well."
    ),
    example=(
        "With k = 10, a neighbour who knows Ann’s age, sex and postcode finds ten rows that could "
        "be hers."
    ),
    usual="5 is low, 10 a fair start, 20 and more for data that anybody may download.",
)
DISTINCT = Meaning(
    title="l, counted: several different values",
    stops="Someone who reads a value that everybody in a class shares.",
    does_not_stop="Someone who guesses: nineteen of twenty rows may still have the same value.",
    example="With l = 3, whoever finds Ann’s class is left with at least three diagnoses.",
    usual="2 is the least that helps; more where people near the data can rule values out.",
)
ENTROPY = Meaning(
    title="l, by entropy: evenly mixed values",
    stops="Someone who reads or guesses a value, because one frequent value lowers the entropy.",
    does_not_stop=(
        "Someone who profits from one value with a large share, if many rare ones make up for it."
    ),
    example=(
        "With l = 2.5, the diagnoses in Ann’s class are mixed at least as well as two and a half "
        "equally frequent ones."
    ),
    usual=(
        "2 to 3. If one value is frequent everywhere, even 2 may not be possible; Papilio then "
        "says what is."
    ),
)
RECURSIVE = Meaning(
    title="l, recursive (c, l): no value stands out",
    stops="Someone who guesses the most frequent value, even after ruling out l − 2 others.",
    does_not_stop="Someone who profits from one dominant value, if c is large.",
    example="With c = 3 and l = 2, no diagnosis has three quarters or more of Ann’s class.",
    usual="c = 3 and l = 2. A smaller c or a larger l is stricter.",
)
T = Meaning(
    title="t: every class looks like the whole table",
    stops=(
        "Someone who learns from how a class differs from the rest: a disease that 1% of all "
        "people have, and half of Ann’s class."
    ),
    does_not_stop=(
        "Someone who learns from the whole table, and someone who looks for a row: ask for k as "
        "well."
    ),
    example=(
        "With t = 0.2 and a quarter of all people earning much, between 5% and 45% of Ann’s class "
        "do."
    ),
    usual="0.3 is a start, 0.1 is strict. Near 0 all rows end up in one class.",
)
NT = Meaning(
    title="n: large classes need not be close",
    stops="The same attacker as t does, in classes of fewer than n rows.",
    does_not_stop="Someone who learns what is true of n people alike.",
    example=(
        "With n = 1000, that the thousand people of a large town fall ill more often may be seen; "
        "that the ten of Ann’s class do may not."
    ),
    usual="Leave it out, unless t alone costs too much. Then about a hundred times k.",
)
SUPPRESS = Meaning(
    title="suppress: rows that may be left out",
    stops="Nobody by itself. It makes the other requirements cheaper.",
    does_not_stop="Someone who knows that a person is missing: unusual people are left out first.",
    example=(
        "With 2%, at most two of a hundred people are left out; the others are published in more "
        "detail."
    ),
    usual="0, or up to 5% if a few unusual rows cost much detail.",
)
KNOWN_DEGREE = Meaning(
    title="known: what an attacker knows besides",
    stops=(
        "Someone who knows how many links Ann and the medicine have: with k = l = 10 they believe "
        "in a link between them with at most one in ten, as everybody else."
    ),
    does_not_stop=(
        "Someone who knows a link of Ann’s, or how many links those have that she is linked to."
    ),
    example=(
        "Ann has five links, and so has everybody in her group: her number of links says nothing."
    ),
    usual="Say it, if privacy.suppress need not be more than 1% for it.",
)
COLLUSION = Meaning(
    title="collusion_k: if recipients put together what they know",
    stops="Recipients who share what they know about a person and look for the row together.",
    does_not_stop="Recipients who together read a sensitive value that those rows share.",
    example=(
        "With 2, insurer and employer together are left with at least two rows that could be Ann’s."
    ),
    usual=(
        "2 keeps anybody from being singled out; k itself makes recipients no different from one."
    ),
)
KE = Meaning(
    title="k and e: different numbers, far apart",
    stops=(
        "Someone who knows exactly who a person is and wants their number: the group leaves at "
        "least k numbers that span e."
    ),
    does_not_stop=(
        "Someone who wants to know who is in the table, because everything else is published "
        "exactly; someone who guesses the most frequent number of a group."
    ),
    example=(
        "With k = 4 and e = 1000, Ann’s salary is one of at least four, a thousand or more apart "
        "from end to end."
    ),
    usual=(
        "k of 4 or 5. For e, what would make a difference to a person, such as a month’s salary, "
        "or 5% of the range."
    ),
)
KNOWN = Meaning(
    title="known: values that somebody has learnt",
    stops=(
        "Someone who knows the numbers of a few people of a group and strikes them out: k and e "
        "still hold for those who are left."
    ),
    does_not_stop="Someone who knows more of a group than that.",
    example=(
        "With known = 1, Ann’s colleague, who knows his own salary, still has k others to choose "
        "from for hers."
    ),
    usual="1, which everybody in the table knows: their own.",
)
NEAR = Meaning(
    title="near: guesses that come close",
    stops=(
        "Someone for whom a number nearly right is good enough: no window of the width holds more "
        "than the share of a group."
    ),
    does_not_stop="Someone who is content with less: a wider window, or a smaller chance.",
    example=(
        "With 50% within 5%, Ann’s salary is guessed to a twentieth of the range at most every "
        "other time."
    ),
    usual="50% within 5% of the range; less where many people have the same number is impossible.",
)
ASSOCIATION_LOSS = Meaning(
    title="association_loss: what may be lost between columns",
    stops="Nobody by itself. It keeps the result useful, and is the other side of exposure.",
    does_not_stop="Anybody: the smaller it is, the more columns stay together.",
    example=(
        "With 0.2, four fifths of how diagnoses and medications go together can still be studied."
    ),
    usual="0.2 to 0.4; leave it out to let exposure decide alone.",
)
EXPOSURE = Meaning(
    title="exposure: what one sensitive column gives away of another",
    stops=(
        "Someone who knows one sensitive value of a person, say the job, finds the row that has "
        "it, and reads the others there."
    ),
    does_not_stop="Someone who knows from elsewhere how columns of different tables go together.",
    example=(
        "With 0.25, whoever knows Ann’s job learns of her diagnosis and medication at most a "
        "quarter of what one table would have told."
    ),
    usual="0.5 is a start, 0.25 is strict.",
)
GENERALISATION_LOSS = Meaning(
    title="generalisation_loss: how coarse a table may become",
    stops="Nobody by itself. It keeps every table useful.",
    does_not_stop="Anybody: it limits what protection may cost.",
    example=(
        "With 0.3, ages and postcodes of every table keep at least seven tenths of their detail."
    ),
    usual="Leave it out, or 0.3 if tables come out too coarse.",
)
TARGET = Meaning(
    title="target: what the column shall appear to have",
    stops=(
        "Someone who wants to know the distribution itself, such as what a department earns, or "
        "what somebody of it earns."
    ),
    does_not_stop=(
        "Someone who wants to know who is in the table; someone who knows the values of others in "
        "a group; someone who asks for sums, as far as ranges are narrow."
    ),
    example=(
        "With a uniform target, Ann’s salary could be anything in the range with the same chance, "
        "for all that the release tells."
    ),
    usual=(
        "Uniform, or what everybody knows anyway, such as the distribution of the whole country. "
        "The farther from the data, the wider the ranges."
    ),
)
SHIFT = Meaning(
    title="shift: how far shares may be off the target",
    stops="The same attacker as the target does, a little less strictly.",
    does_not_stop="Someone for whom a difference of this size is worth something.",
    example=(
        "With 0.05, 45% to 55% of the values may lie in the lower half where the target has 50%."
    ),
    usual="0, or 0.05 if ranges come out too wide.",
)
FAKES = Meaning(
    title="fakes: values that belong to nobody",
    stops="Nobody by itself. It makes a target cheaper.",
    does_not_stop=(
        "Anybody who counts values: there are more of them than people, and the release says so."
    ),
    example="With 5%, a hundred people may have five values more among theirs.",
    usual="0 to 5%. Papilio looks for the best number up to it.",
)
VOLUNTEERS = Meaning(
    title="volunteers: who may join a wider pool",
    stops=(
        "Someone who knows who demanded what: people who share a wider pool than they asked for "
        "are there because of their value, and that tells something of it."
    ),
    does_not_stop="Someone who looks at people who asked for little.",
    example=(
        "Ann alone asks for the whole range. Without it Bob is put beside her because his value "
        "lies in the other half; with it he stays with what he asked for."
    ),
    usual="blind, if it may be known who asked for what. Ranges get wider.",
)
PERSONAL = Meaning(
    title="personal: everybody says how much to hide",
    stops="The attacker that each person has in mind: who asks for the whole range gets all of it.",
    does_not_stop=(
        "Someone who looks at people who asked for little: who demands level 0 may have their "
        "value published."
    ),
    example="Ann asks for “30 to 60”: of her salary nobody learns more than that.",
    usual="Leave it out, unless people were asked.",
)
