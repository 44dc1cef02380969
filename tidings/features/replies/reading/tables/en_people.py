"""Words for people in English, and for who comes in addition or not after all."""

ONE = """
    wife; wifey; madam; oga; ma; last born; first born; wifes; husband; hubby; hubbie; hubs; missus
    missis; misses; mrs; partner
    spouse
    girlfriend; boyfriend; gf; bf; fiance; fiancee; fella; fellow; bloke; better|other half
    old|auld man|lady|fella|one
    oh; mum; mom; mam; ma; mummy; mommy; mammy; mama; mother; dad; da; daddy; papa; pops; father
    son; daughter; sister; sis; brother; bro; nan; nana; nanna; nanny; gran; granny; grandma
    grandad; granddad; grandpa; grandmother; grandfather; grans; mee maw; papaw; aunt; auntie
    aunty; uncle
    niece; nephew; cousin; cuz; mil; fil; mother|father|sister|brother|son|daughter in law
    stepson; stepdaughter; stepmum; stepdad; stepmother; stepfather; godson; goddaughter
    grandson; granddaughter; grandchild; grandkid; baby; bub; babby; toddler; infant; newborn
    kid; child; little|wee|small|young|big one|lad|man|fella|girl|boy; eldest; youngest
    middle one
    teenager; teen; boy; girl; lad; lass; friend; mate; buddy; bestie; bff; pal; flatmate
    roommate; roomie; housemate; neighbour; neighbor; colleague; coworker; workmate; boss
    manager; secretary; assistant; apprentice; intern; interpreter; translator; carer; nurse
    nanny; au pair; childminder; driver; deacon; guest; date; plus one; someone; somebody
    one|a more|other guest|person?; another one|person|guest; him; himself; herself; our kid
    our baby|son|daughter; ex; other; significant other; lodger; minister; curate; organist
    adult
"""
GROUP = """
    parents = 2; in laws = 2; inlaws = 2; grandparents = 2; folks = 2; olds = 2; twins = 2
    triplets = 3; mum and dad = 2; mom and dad = 2; mam and dad = 2; ma and pa = 2; mum dad = 2
    couple of friends|mates|kids|cousins|colleagues = 2; pair of them = 2; them two = 2
    other two = 2; other three = 3; us two = 2
"""
PEOPLE = """
    people; persons; person; ppl; pax; peeps; guests; guest; seats; seat; places; place; heads
    souls; spots; spot; tickets; ticket; folks; attendees; members; delegates; covers; dinners
    plates
    chairs; chair; portions; lunches; meals; mouths; representatives; reps; participants; bodies
    humans
"""
ADULTS = """
    adults; adult; grown ups; grownups; grown up; men; women; ladies; gentlemen; big; large
    big|large|grown|old ones; pensioners; seniors; oldies; vegans; seniors; gents
"""
KIDS = """
    kids; kid; pikin; pikins; kiddos; godchildren; stepkids; mums; dads; children; child; childs
    babies; baby; bubs; toddlers; toddler; infants; infant
    friends
    mates; sons; daughters; sisters; brothers; boys; boy; girls; girl; lads; lasses; teens
    teenagers; teen
    little|wee|small|young ones|kids; small; littles; rugrats; monsters; grandkids
    grandchildren
    grandsons; granddaughters; nephews; nieces; cousins; colleagues; roommates; flatmates
    kiddies; kiddos
    housemates; aunts; aunties; uncles; nans; grans; grandmas; nannas; parents; others; students
    friend; cousin; colleague; sister; brother; son; daughter; nephew; niece; laaities; bairns
    wains
    sons|daughters|brothers|sisters in law; neighbours; neighbors; coworkers; workmates; subs
    daughter; guest of mine; of mine|ours|his|hers|theirs|them; dependants; wives; husbands
    partners
"""
VAGUE = """
    family; fam; lot; gang; crew; clan; tribe; others; everyone; everybody; folk; relatives
    rest
    household; whole family|gang|house|tribe|crew|lot; some friends|people|family; a few; few
    team; congregation; fellowship; wives; husbands; spouses
"""
OWN = """
    my; me; mi; our; the; a; an; his; her; their; your; own; little; wee; lovely; dear; darling
    beloved; new; old
    young; small; big; elder; older; younger; eldest; youngest; baby; twin; teenage; other; all
    um; uh; er; erm; uhm; then; also; even; maybe; possibly; of; whole; beautiful; lovely
    hungry; x; sweet
    good; both; said; named; called; late; poor; mad; noisy; cheeky; best
"""
GONE = """
    dropped out; dropping out; bailed; has|have bailed; pulled out; pulling out; backed out
    isnt|arent|not coming|comin|joining|attending; wont be coming|joining|attending
    cant|cannot|wont come|make|join|travel|attend it?
    staying|stays|stay|stop in|home|back|behind|put|with; is|are|so out
    has|have dropped|pulled|fallen out
    not able to; unable to; not getting leave; cant get leave; snowed in; is barred; resigned
    have resigned
    has|have to work|operate; working|has exams; has|got exams|tuition|work|a match; on call
    fallen ill
    no longer coming; not well to travel; not well enough; no fit come; pulled a sickie
    no longer
    leaving|left home|behind; not doing it; opted out; gone home|back; has|have to stay
    has|have cancelled
    acting up; stuck at; gone back; been called; chickenpox; sprained
"""
