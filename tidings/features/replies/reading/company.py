"""The people of a list added up: `me, my wife and 3 kids`, `2 adults 1 child`, `+1`. Pure."""

from .countable import COUNTED, NOTHING, Line, Step, get
from .table import Part

_MORE = (Part.KIDS, Part.ONE)  # who come in addition to the guest
_JOINS = (Part.AND, Part.WITH, Part.PLUS)
VERBS_MAX = 3  # between people and who comes with them
NAME_WORDS_MAX = 2  # after a person: my sister Ida Mae
ALSO_WITHIN = 4  # steps between a person and "too"


class Company:
    """One list. `end` is the step after it; without `is_sum` it counts nobody."""

    def __init__(self, line: Line, start: int) -> None:
        self.line = line
        self.start = self.end = start
        self.total = self.me = self.ones = self.numbered = self.bare = self.names = 0
        self.company = False  # somebody who comes in addition to the guest
        self.vague = False  # and somebody who is not counted
        self.heads = False  # a number of people of whatever kind, or of adults
        self.added = get(line, start).does(Part.PLUS)
        self.led = self.added or _leads(get(line, start))
        self._run(self._skip_lead(start))
        if self.led and not self.me and not self.heads and self.has_company:
            self.total += 1

    @property
    def has_company(self) -> bool:
        return bool(self.ones or self.names or self.company or self.added or self.vague)

    @property
    def is_sum(self) -> bool:
        several = self.total > 1 or self.vague
        if self.names and not self.is_bound:
            return False
        together = self.me and several and (self.ones or self.names or self.bare or self.vague)
        known = self.ones or self.numbered
        led = self.led and (known or self.vague or (self.added and (self.bare or self.names)))
        return bool(self.numbered or together or led or self.bare > 1)

    @property
    def is_bound(self) -> bool:
        """Whether a word joins the people of the list, not only commas."""
        return any(step.does(*_JOINS, Part.JOINING) for step in self.line[self.start : self.end])

    def _skip_lead(self, at: int) -> int:
        while _leads(get(self.line, at)):
            at += 1
        inverted = at > self.start and get(self.line, at - 1).does(Part.BRING)
        return at + 1 if inverted and get(self.line, at).does(Part.ME) else at  # bring ich

    def _run(self, at: int) -> None:
        joined = self.led
        while (after := self._term(at, joined=joined)) is not None:
            self.end = after
            at = self._skip_joins(after)
            if at == after:
                at = self._skip_verbs(after)
            joined = at > after or get(self.line, after - 1).does(Part.WITH)
        if self.total and not self.me and not self.led and self._comes_too():
            self.led = True

    def _comes_too(self) -> bool:
        for at in range(self.end, self.end + ALSO_WITHIN):
            here = get(self.line, at)
            after = get(self.line, at + 1)
            particle = here.does(Part.WITH) and (after.is_break or after is NOTHING)
            if here.does(Part.ALSO) or particle:
                self.end = at + 1
                return True
            if here.is_break or here.is_not or not here.parts <= {Part.WE_ARE, Part.IN_ALL}:
                return False
        return False

    def _term(self, at: int, *, joined: bool) -> int | None:
        """Add the people at this position; returns the position to continue from."""
        here = get(self.line, at)
        if here.is_number:
            return self._number(at) if joined or not here.is_apart or not self.total else None
        if self.total and not joined and not self._is_run_on(at):
            return None
        if here.does(Part.ME) or (here.does(Part.JOINING) and self.total):
            if self.me:
                return None
            self.me, self.total = 1, self.total + 1
            return at + 1
        if here.group is not None:
            return self._add(at, here.group)
        if here.does(Part.ONE):
            return None if self._is_addressed(at) else self._add(at, 1)
        leads = get(self.line, at + 1).does(*_JOINS) or (joined and self.total)
        if here.party == 1 and not self.me and leads:
            self.me, self.total = 1, self.total + 1  # just me and my son; my son and only me
            return at + 1
        if here.party is not None and here.party > 1:
            return self._party(at)
        if here.does(Part.KIDS, Part.ADULTS) and (counted := self._numbered_after(at)) is not None:
            return counted
        if here.is_name and self._owns(at):  # Tom's mother
            return self._add(at + 1, 1)
        if here.does(Part.KIDS, Part.ADULTS, Part.VAGUE) and (self.total or self.led):
            self.vague = True
            return at + 1
        return self._name(at, joined=joined)

    def _numbered_after(self, at: int) -> int | None:
        """Children whose number follows them, as in Arabic: me and the children the three."""
        after = get(self.line, at + 1)
        summed = get(self.line, at + 2).does(*COUNTED)
        if after.value is None or after.is_apart or summed or not is_free(self.line, at + 1):
            return None
        self.numbered, self.total = self.numbered + 1, self.total + after.value
        self.company = self.company or self.line[at].does(Part.KIDS)
        self.heads = self.heads or self.line[at].does(Part.ADULTS)
        return at + 2

    def _is_addressed(self, at: int) -> bool:
        """Yeah mate, me and ...: the mate does not come along."""
        before = get(self.line, at - 1)
        greets = before.is_answer and not before.does(Part.WE_ARE)
        return not self.total and greets and get(self.line, at + 1).is_soft

    def _is_run_on(self, at: int) -> bool:
        """Whether a person without a comma belongs to the list: me my husband and my mum."""
        here = get(self.line, at)
        if here.does(Part.JOINING):
            return True
        if here.is_name and not get(self.line, at - 1).does(Part.ME):
            return False
        end = self._skip_names(at + (not here.is_name))
        after = get(self.line, end)
        runs_on = _is_known(after) and not after.is_apart
        return not here.is_apart and (runs_on or self._is_followed(end))

    def _add(self, at: int, many: int) -> int:
        self.ones, self.total = self.ones + 1, self.total + many
        alone = get(self.line, at + 1)
        after = at + 1 + (alone.is_word and alone.value == 1)  # a son, one
        return self._skip_age(self._skip_names(after))

    def _skip_age(self, at: int) -> int:
        """Skip the age of the person before: my son of 8 months."""
        number = at + get(self.line, at).does(Part.AT)
        is_age = get(self.line, number).is_number and get(self.line, number + 1).does(Part.AGED)
        return number + 2 if is_age else at

    def _owns(self, at: int) -> bool:
        person = get(self.line, at + 1)
        return person.does(Part.ONE) and not person.is_apart and not person.does(Part.PLUS)

    def _party(self, at: int) -> int | None:
        """Both of us; both my sisters."""
        many = self.line[at].party or 0
        after = get(self.line, at + 1)
        if after.does(Part.PEOPLE, Part.ADULTS, Part.KIDS, Part.PAIRS) and not after.is_apart:
            return self._people(at, many, after)
        if self.total and get(self.line, at - 1).is_break and not after.does(*_JOINS):
            self.total, self.me = many, 1  # it sums up: Tom, Ann and I, the three of us
            return at + 1
        if after.does(Part.ONE, Part.GROUP):
            self.numbered += self.total > 0  # mum, dad, both my sisters
            self.ones, self.total = self.ones + 1, self.total + many
            return at + 2
        joins = self.total or get(self.line, at + 1).does(*_JOINS)
        sums_up = many == self.total and get(self.line, at - 1).is_soft and not after.does(*COUNTED)
        if not joins or sums_up:  # me and my wife, both of us
            return None
        self.numbered, self.heads = self.numbered + 1, True
        self.total += many
        return at + 1 + after.does(*COUNTED)

    def _name(self, at: int, *, joined: bool) -> int | None:
        """A name counts in a list: me and Tom; Tom, Mia and I."""
        here = get(self.line, at)
        if not here.is_name or (here.is_greeted and get(self.line, at + 1).is_break):
            return None
        end = self._skip_names(at)
        alone = not joined and not self.total
        before, after = get(self.line, at - 1), get(self.line, end)
        if before.does(Part.WITH) and not before.does(Part.AND, Part.ME):
            counts = self._is_followed(end, by_name=False)
        elif alone or before.is_soft:
            counts = (before.is_soft or self._begins(at)) and self._is_followed(end)
        elif self.total:
            counts = not after.does(Part.WITH, Part.ME)
        else:
            counts = _is_listed(self.line, end)
        if not counts:
            return None
        self.names, self.total = self.names + 1, self.total + 1
        return end

    def _is_followed(self, at: int, *, by_name: bool = True) -> bool:
        """Whether a name that ends here is followed by a person: Tom and I."""
        after = self._skip_joins(at)
        person = get(self.line, after)
        counted = person.is_number and get(self.line, after + 1).does(*COUNTED)
        known = counted or _is_known(person) or (by_name and person.is_name)
        return after > at and not person.is_apart and known

    def _begins(self, at: int) -> bool:
        """Whether a name at this position may begin a list."""
        before = get(self.line, at - 1)
        begins = before.is_break or before.is_answer or before.does(Part.WE_ARE)
        return at == 0 or begins

    def _skip_names(self, at: int) -> int:
        """Skip the words of a name, such as after my sister."""
        for index in range(at, at + NAME_WORDS_MAX):
            here = get(self.line, index)
            if not here.is_name or (here.is_apart and index > at):
                return index
        return at + NAME_WORDS_MAX

    def _number(self, at: int) -> int | None:
        value = self.line[at].value or 0
        before, after = get(self.line, at - 1), get(self.line, at + 1)
        if self.line[at].does(Part.TOGETHER):
            return None
        if after.does(Part.AGED) and self.total and self._is_another(at):  # 2 adults, a 4 year old
            return self._add(at + 1, 1)
        if not is_free(self.line, at):
            return None
        if after.does(Part.PEOPLE) and self.total and not before.does(Part.PLUS, Part.AND):
            return None  # it sums up: me and my wife, 2 people
        if after.does(*COUNTED) and not after.is_apart:
            return None if self._is_article(at) else self._people(at, value, after)
        of_mine = get(self.line, at + 2)
        if after.does(Part.OUT_OF) and of_mine.does(Part.KIDS):  # with 4 of my colleagues
            return self._people(at + 1, value, of_mine)
        if after.does(Part.IN_ALL) and not self.total and self._is_head_of_list(at + 2):
            return self._people(at, value, after)
        inclusive = after.does(Part.WITH)  # we are 3 with the baby
        opens = before.does(Part.WE_ARE) and self._is_head_of_list(at + 1)
        if not self.total and opens and not inclusive:
            return self._people(at - 1, value, after)
        joined = before.does(Part.PLUS, Part.AND) and (self.total or self.added)
        if joined or after.does(Part.PLUS):
            self.bare, self.total = self.bare + 1, self.total + value
            return at + 1
        return None

    def _is_article(self, at: int) -> bool:
        """A brother, somewhere in the text: where one is a, it counts only within a list."""
        here, after = self.line[at], get(self.line, at + 1)
        one_person = here.is_word and here.value == 1 and after.does(*_MORE)
        in_list = self.total or self.led or get(self.line, at + 2).does(*_JOINS)
        return one_person and not in_list

    def _is_another(self, at: int) -> bool:
        """Whether it is the age of one more, not of the person before: my son, 8 years."""
        before = get(self.line, at - 1)
        of_before = before.is_break and get(self.line, at - 2).does(Part.ONE)
        return before.does(*_JOINS) or (before.is_break and not of_before)

    def _people(self, at: int, value: int, after: Step) -> int:
        value *= 2 if after.does(Part.PAIRS) else 1
        self.numbered, self.total = self.numbered + 1, self.total + value
        more = after.does(*_MORE) and not after.does(Part.PEOPLE)
        self.company = self.company or more
        self.heads = self.heads or not more
        return self._skip_names(at + 2)

    def _skip_joins(self, at: int) -> int:
        while self._is_join(at):
            at += 1
        return at

    def _skip_verbs(self, at: int) -> int:
        """My sister is coming with me; my wife and I will come with our two kids."""
        for index in range(at, at + VERBS_MAX + 1):
            here = get(self.line, index)
            if here.does(Part.JOINING) and not self.me and self.ones:
                return index
            if here.does(Part.WITH) and self.me and (self.ones or self.numbered):
                return self._skip_joins(index)
            if here.is_break or here.is_name or here.is_number or here.is_not:
                return at
            if not here.parts <= {Part.WE_ARE, Part.IN_ALL, Part.FOR}:
                return at
        return at

    def _is_join(self, at: int) -> bool:
        here = get(self.line, at)
        if here.does(Part.JOINING) and self.total and not self.me:
            return False  # my wife is with me: in some languages also a word before her
        if here.is_soft:  # 4 people, me and ...: what follows says who they are
            before = get(self.line, at - 1)
            heads = before.does(Part.PEOPLE) and get(self.line, at - 2).is_number
            alone = self.added and before.is_number  # +1, my son
            return self._is_person(at + 1) and self._closes(at + 1) and not heads and not alone
        if here.is_break:  # 2 adults. 1 child
            more = get(self.line, at + 2).does(Part.KIDS, Part.ONE, Part.ADULTS)
            return bool(self.numbered and get(self.line, at + 1).is_number and more)
        if here.does(Part.AT):  # me and the 3 children, in a language where "the" may be a date
            counted = get(self.line, at + 2).does(*COUNTED)
            return get(self.line, at + 1).is_number and counted
        return here.does(*_JOINS) and not here.does(Part.ONE, Part.ME)

    def _closes(self, at: int) -> bool:
        """Whether nothing is said of this person alone: me and Tom, my husband is away."""
        if not get(self.line, at).does(Part.ONE):
            return True
        end = self._skip_names(at + 1)
        after = get(self.line, end)
        goes_on = after.parts or after.is_break or after.is_answer or after.is_number
        return bool(end >= len(self.line) or goes_on)

    def _is_person(self, at: int) -> bool:
        step = get(self.line, at)
        if step.does(Part.ME):  # my wife, me and the kids; but not: my wife, I think
            after = get(self.line, at + 1)
            return after.does(*_JOINS) or after.is_break or after is NOTHING
        if step.is_number or step.does(Part.AND):
            return True
        if _is_known(step):  # with my sons, my wife will stay: she is not in the list
            after = get(self.line, at + 1)
            ends = after is NOTHING or after.is_break or after.is_answer
            return ends or bool(after.parts) or (after.is_name and not after.is_apart)
        return step.is_name and _is_listed(self.line, self._skip_names(at))

    def _is_head_of_list(self, at: int) -> bool:
        """Four and Nana; 2 of us and the baby."""
        person = get(self.line, at + 1)
        known = _is_known(person) and not person.does(Part.ME)
        return get(self.line, at).does(Part.AND, Part.PLUS) and (known or person.does(*_JOINS))


def _leads(step: Step) -> bool:
    """Whether company follows: with. Where `we with` is one phrase, it is the guest too."""
    return step.does(Part.WITH, Part.PLUS) and not step.does(Part.ONE, Part.ME)


def _is_known(step: Step) -> bool:
    """A person, or several, by a word for them and not by name."""
    return bool(step.party or step.group) or step.does(Part.ME, Part.ONE)


def _is_listed(line: Line, at: int) -> bool:
    """Whether a name that ends here is followed by more people, or by the end of the clause."""
    after = get(line, at)
    return after.does(*_JOINS, Part.JOINING) or after.is_break or after is NOTHING


def is_free(line: Line, at: int) -> bool:
    """Whether the number is not a time, a date or a label such as a table number."""
    before, after = get(line, at - 1), get(line, at + 1)
    if line[at].does(Part.TOGETHER):
        return not before.is_not
    if after.is_break and not after.is_soft and get(line, at + 2).does(Part.UNIT):
        return False  # 3. Stock
    if after.does(Part.UNIT, Part.AGED, Part.MORE, Part.FEWER, Part.GONE) or before.is_not:
        return False
    if before.does(Part.OUT_OF, Part.MORE, Part.FEWER, Part.LACK):
        return False
    counted = after.does(*COUNTED) and not after.is_apart
    if counted or after.does(Part.IN_ALL) or before.does(Part.WE_ARE):
        return True
    return not before.does(Part.AT, Part.CALLED)
