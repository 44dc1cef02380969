"""English."""

from ..table import Table
from . import en_people as people

TABLE = Table(
    language="en",
    script="latin",
    yes="""
        yes; yep; yup; yeah; yea; yah; yas; aye; sure; surely; sure thing; ofc; definitely; def
        deff; of course; of corse; absolutely; certainly; totally; indeed; for sure; you bet
        without a doubt; gladly; happily; by all means; be my|our? pleasure; with? great? pleasure
        accept; accepted; accepting; accepts; confirmed; confirming; rsvp yes
        count|include me|us in; count us; i|im|were|am|are|me in; im|were|we|am|are down; all in
        me|us too; see|c you|u|ya|yall all? there|then
        see you|u all? on|at|next|this|tomorrow|tonight
        wouldnt|wont|not|never|couldnt|cant|dont miss|missing|pass; not going to miss|pass
        not want to miss; dont want to miss; dream of missing; not to be missed
        nothing could|can|will|would make|stop|keep|prevent me|us miss|missing|skip?
        cant|cannot|hardly wait; can not|hardly wait; looking|look forward; looking forwrd
        save|keep|reserve|book|hold me|us|a|our|two|my a? seat|seats|spot|spots|place|places|table
        put|sign|mark|add|write me|us down|up; on the list; wild horses; keep me|us away
        how could|can i|we not; with bells on; its a yes; lets go; lets gooo
        confirm attendance|yes|coming|presence; i|we confirm
        confirm attendance|yes|coming|presence|our|my; see you in; count on me|us; no doubt
        no question; without question; thats a yes; yes from; catch you there
        happy|glad|pleased to confirm; yes from our|my|us|both
    """,
    no="""
        take|taking|remove me|us off|from the guest? list
        no; nope; nah; nay; nop; not this time|year; no can do; no way; count me|us out
        im|were|am|are out; ill|i|well|we have to pass; i|ill|well pass; hard pass; pass this time
        decline; declines; declining; declined; regretfully
        regrets; i|we regret; have|had|need|got to cancel; cancel our|my; cancel me|us
        please cancel; we cancel; maybe? next time|year; perhaps|some? another|other time
        rain check; raincheck; not? a|no chance; no thanks; no thank you
        afraid|unfortunately|sadly|sorry|certainly|definitely|absolutely not|no; of course not
        not interested; no interest; not for me|us; not happening; not possible; impossible
        wish i|we could; wish i|we was|were; would|wouldve have? loved; neither of us; none of us
        without me|us; dont wait for me|us; dont count on? me|us; unavailable; not available
        thats a no; its a no; no from me|us; cant do that|it|this
        sit this one out; have to bail; no go; not my thing; not for me; wont be joining
        next time|year; give it a miss
    """,
    miss="""
        have|going to miss|skip; will miss|skip; missing|skipping it|this|out|that
        skip it|this|that; miss it|this|the|out; pass it|this up; say|saying no
        turn it|this|you down
    """,
    cannot="""
        cant; cannot; can not|t; couldnt; wont; will not; unable; not able; not gonna; not going to
        shant
    """,
    go="""
        coming; cming; attending; be|b there|thre
        be present|joining|attending|coming|with|celebrating; joining; make|making it; join you
        i|we|well|ill|wil come|com|attend|join|go|make; were|im|are|am going; be in attendance
        arriving; flying in; there with bells; coming along; show up; ill|well|will be|b there|thre
    """,
    be="ill|well|will be|b; i|we will|shall be|b; there will be",
    to_go="""
        come; com; attend; atend; join; participate; be there; go; arrive; swing by; stop by
        drop by; come along; celebrate with you; make
    """,
    they_go="comes; attends; he|she|they will come|be|attend; is coming; is attending",
    can="""
        can; will; wil; ll; shall; able; gonna; going to; get to; manage; plan to; planning to
        planning on; im|were|am|are going to
    """,
    wish="""
        would|id|wed|d love|like to?; love|want|happy|glad|pleased|delighted to
        honoured|honored|excited|keen|thrilled|hoped|hoping to
        would be happy|honoured|honored|delighted|thrilled; wanna; wanted; wanted to
    """,
    not_="""
        not; dont; doesnt; didnt; isnt; arent; aint; never; wouldnt; no longer; nobody; none
        neither; nor; havent; hasnt; no way; no chance; not a chance
    """,
    sorry="""
        sorry; soz; unfortunately; sadly; regret; apologies; apologise; apologize; alas; afraid
        forgive me|us; gutted; too bad; bummed; devastated; shame
    """,
    away="""
        abroad; overseas; out of town|country|state; on holiday|vacation|leave
        be? travelling|traveling; be away; away that|this|then|on
        another|other wedding|event|commitment|engagement|party; prior commitment|engagement; busy
        have|got|already plans; other plans; have|got|gotta to? work; im|were|be working
        get off work; working that|this|late; im|are|is|were|got sick; in hospital; have|got covid
        the flu; in quarantine; exams; on duty; on call; on shift; night shift; reserve duty
        double booked; something came up; something else; not in town; no babysitter
        not feeling well; have a prior
    """,
    how="""
        be late; running late; be? a? bit|little? late
        late; alone; early; by myself; on my|our own; before; empty handed; too? late; too? long
        for long; without my|the
    """,
    spirit="""
        in spirit; in my|our thoughts|hearts|prayers; in thought; in our|my prayers
        there in spirit; virtually only
    """,
    maybe="""
        maybe; mayb; perhaps; possibly; not sure|certain|100; unsure; dont|not know; dunno; idk
        no idea; might; may; likely; unlikely; probably; prob; prolly; hopefully; hope; hoping
        fingers crossed; try; trying; do my|our best; think; thinking; guess; suppose
        let you|u know; get back to; keep you posted; tbd; tbc; undecided; decided; check; checking
        have to see; lets see; well see; will see; talk to my; speak to my; ask my; depends
        depending; depend; cant|cannot|wont|not say|promise|commit|confirm|tell|guarantee
        no promises; too early|soon; doubt; doubtful; tentative; tentatively
        will|ill confirm|answer|reply; confirm later|tomorrow|soon|next|by
        answer later|tomorrow|soon; 50/50; fifty fifty; see how; considering; more time; pending
        yes and|or no; could be; sort of; kind of; have to ask; come back to you; back to you
        hate|hated to miss|skip; dont say no
    """,
    if_="if; in case; as long as; provided; assuming; subject to; unless; whether",
    ask="""
        is there|it|the|this|that|parking|he|she; are there|you|we|kids|children|they|guests
        will there|it|you|we|they; am i; was it|that
        can i|we|you|u|kids|my|the|someone|somebody|anyone; could|may i|we|you|u; do i|we|you|u|they
        does; did; should i|we; would it|you; shall i|we; what; whats; when; whens; where; wheres
        who; whos; which; how; hows; why; any parking|news; has anyone; have you
    """,
    but="but; however; though; although; yet",
    who="""
        he; she; they; hes; shes; theyre; my|the brother|sister|parents|mom|mum|mother|father|dad
        my|the son|daughter|wife|husband|kids|children|partner|girlfriend|boyfriend; wife; husband
        hubby; my fiance|fiancee|friend|cousin|aunt|uncle
        my grandmother|grandma|family|friends|sisters|brothers; everyone else
    """,
    other="""
        link; wrong number|person; call|phone|ring me|us|you; got it|the|your|this; received
        receive; get the|your|this; already answered|replied|responded|told; stop sending; open
        see the|it; address is; moved; attached; gift; told me; code; password; loan; my address
        website; page; your|this message; messages; unsubscribe; download; hear you; right now
        about this; another day; this|that is; its me; i|we know; didnt get|receive; not get|receive
        get it; yes|yeah hello|hi; no its; who is|are this|you
    """,
    void="""
        sure|certainly|definitely|surely it|you|they|everyone|this will
        sure|surely|certainly itll|youll|theyll
        no problem|problems|prob|worries|need; np; not a problem; dont worry; not to worry; why not
        not only; for not; not answering|replying; late reply|response|answer
        sorry for|about the|my|not|being|late; sorry it|i took|only|just|forgot|didnt; apologies for
        happy birthday; see you|ya; may|might|maybe? be? a? bit|little? late; running late
        leave early; have to leave; no gifts|presents|kids|children|meat|allergies|parking
        without the kids|children; not bringing|vegetarian|eating|long|far; been|was busy; no wait
        wait no; dont|doesnt|not|cant eat|drink; couldnt|not be happier; cant|cannot|not believe
        let me know if; if possible; if thats|its ok|okay|alright|fine|possible; if you need|want
        was|wasnt|were|not sure at first; was|were not sure; wasnt|werent sure
        didnt know|see|answer|reply; at first; not see|answer|reply; maybe a|with|around|later
        from abroad|overseas; im|am|are|be|make|were|pretty|quite sure; its fine; dont come late
        no hurry|rush|news|pressure; it|that will|ll be; itll be
    """,
    day="monday; tuesday; wednesday; thursday; friday; saturday; sunday",
    warm="""
        thanks; thank you|u; thx; ty; tnx; cheers; congratulations; congrats; mazal|mazel tov; love
        love you|u; xoxo; xx; dear; hi; hey; hello; hiya; good morning|evening|afternoon|luck
        happy for you; happy; excited; exciting; best wishes; wonderful; lovely; amazing; great
        good; nice; cool; perfect; awesome; wow; omg; yay; wishes; ok; okay; okey; k; kk; alright
        all right; fine; sounds good|great; haha; lol; the best; have fun
        have a great|wonderful|lovely|good|amazing time|day|evening|party; enjoy; invitation; invite
        inviting; for the invitation|invite; thinking of us|you|me; blessings; god bless; inshallah
        bezrat hashem; god willing; please; pls; plz; habibi; habibti; wallah; yalla; bro; dude
        guys; mate; darling; honey; beautiful; special; with love; lots of love; all the best
        mabrouk; mashallah; amen; celebrate; celebrating; celebration; hugs; kisses
        send our|my love
    """,
    light="""
        i; we; im; were; are; am; is; be; the; a; an; to; too; so; all; really; very; just; also; it
        this; that; of; you; u; your; my; our; us; me; there; here; now; then; actually; still; even
        both; have; has; had; been; would; do; id; wed; ive; weve; r; quite; truly; much; together
        everyone; everybody; ourselves; myself; day; evening; night; weekend; week; wedding; party
        event; ceremony; after; after all; for; from; at; in; on; by; with; and; today; tonight
        tomorrow
    """,
    plain="""
        some; same; came; could; work; bought; dress; swamped; already; bring; leave; early
        late; and; or; with; at; in; on; by; for; straight; around; january; february; march; april
        as; well; from; his; her; their; them; one; june; july; august; september; october; november
        december; today; tomorrow; tonight; year; month; hour; minutes; who; which; about; something
        hotel; room; drive; driving; train; plane; flight; vegetarian; vegan; kosher; allergic; food
        drinks; wine; music; back; out; up; off; before; until; till; dance; dancing; baby; name
        number; first; second; half; because; while; since; always; often; every; next; last; more
        less; many; few; any; only; little; long; short; big; small; old; new; send; address; again
        need; needs; like; likes; know; knows; take; takes; give; gives; anything; time; date
        person; people; kids; children; adults; honest; world; count; change; plans; total; seat
        forward; looking; come; both; us; two; present; presents; others; family; everyone; folks
        team; works
    """,
    numbers="""
        zero = 0; one = 1; two = 2; three = 3; four = 4; five = 5; six = 6; seven = 7; eight = 8
        nine = 9; ten = 10; eleven = 11; twelve = 12; thirteen = 13; fourteen = 14; fifteen = 15
        sixteen = 16; seventeen = 17; eighteen = 18; nineteen = 19; twenty = 20; thirty = 30
        a? dozen = 12; half a dozen = 6; half dozen = 6; uno = 1; twa|twae = 2; fower = 4
        baker's dozen = 13; twenty one = 21; twenty two = 22; twenty three = 23; twenty four = 24
        twenty five = 25; forty = 40; fifty = 50
    """,
    party="""
        just|only|simply me|myself = 1; me|myself only|alone = 1; by myself = 1; on my|me own = 1
        alone = 1; solo = 1; just the one = 1; on my|me tod = 1; just|only meself = 1
        going|coming stag = 1
        on my lonesome = 1
        just|only|simply little? old me = 1; just|only yours truly = 1; yours truly only = 1
        no|without|minus plus one = 1; no|without +1 = 1; only one of us = 1; party of one = 1
        without a? plus one|date = 1; no date = 1; nobody else = 1; no one else = 1; just i = 1
        both of us = 2; the? two of us = 2; us two = 2; we|us|well|were all? both = 2; we two = 2
        as a couple|pair = 2; were|be a couple|pair = 2; we are a couple|pair = 2
        both = 2
        pair of us = 2; him|her and me|i|myself = 2; me|myself|i and him|her|himself|herself = 2
        me and the? other|better half = 2; mr|dr|prof|rev and|& mrs|ms|mr|dr = 2; duo = 2
        a twosome = 2; trio = 3; threesome = 3; quartet = 4; foursome = 4; fivesome = 5; sixsome = 6
    """,
    we_are="""
        we will|shall|would|are|r be?; well|were be?; there will|are|ll be?; therell be; theres; be
        party|family|fam|group|total|squad|crew|delegation|table of; rsvp yes? for; down for; expect
        number of guests|people is?; table|seats|places|chairs|spots|tickets|room for; us; all
        so; thats; that is; thatll be; makes; make; making; made; are; equals; now|so its; its
        it is
        itll be; it will be; itll; count; counting; count on; put; put|pencil|mark|write|sign down
        put|add|write|sign us
        put|pencil|mark|write|sign us|me down for|as|with?; down as; total; headcount; head count
        attendees; attending; =; reserve; save; book; keep; need; bring it to; back|down|up to
        expecting; only; just
        yes for|from; confirm|confirming|confirmed|accept|accepting attendance? for|of?; answer is
        yes times; final|correct number|count|answer is?; number is; party of; representing
        make it|that; leaves; leaving; rolling; lot is|are; lots; house is
    """,
    in_all="""
        in total; altogether; all together; total; overall; in all; all in; all told; of us|usll
        off us
        from our|my|us|the side|family|firm|house|office|team?; from our; from us; in number; all up
        including|incl|inc|with me|myself; me|myself included; it is; strong; deep; all round
        of the family; myself counted; with myself counted; coming; reporting; confirmed; attending
    """,
    me="me; i; myself; meself; mysef; yours truly; little? old me; my good self; self; moi",
    one=people.ONE,
    people=people.PEOPLE,
    adults=people.ADULTS,
    group=people.GROUP,
    kids=people.KIDS,
    pairs="couples",
    vague=people.VAGUE,
    own=people.OWN,
    joining="""
        with me; join|joining|joins me; accompany|accompanying|accompanies me
        bring|bringing|brings me; driving|drive|drives|drove me; escorting|escorts me; taking me
        tagging along; fetching me; coming along with me; on my arm; carrying me
    """,
    also="""
        too; join|joining us; with us; on board; back in; in now; coming along; tagging along
        wants in; also; as well; aswell; along
    """,
    us="we; us; were; well; weve; wed",
    and_="""
        and; n; an; nd; &; as well as; and so are|is; and then; plus then; and also; along with
        together with
    """,
    with_="""
        with; wiv; wid; w; along with; bring; bringing; bringin; dragging; taking; and also
        fetching
    """,
    bring="bring; bringing; bringin; dragging; taking; fetching",
    lack="""
        without; w o; minus; except; apart from; not bringing
        cant|cannot|couldnt|wont|not|dont bring
        without the|my|any; instead of; rather than; leaving; leave
    """,
    plus="plus; +; plus one",
    or_="or; to",
    instead="""
        no; no wait; wait; wait no; sorry; no? sorry; i mean|meant; make that|it; scratch that
        correction; now; now its; actually; actually its; rather; or rather; oops; edit
        then
    """,
    so="so i|im|ill|id|we|were|well|wed|its|yes|no|cant|cannot|wont",
    of_which="""
        including; incl; of which|whom|them|those; among them; one vegetarian|vegan; one of us|them
    """,
    out_of="of the; out of; of our; of my; of those",
    about="""
        about; around; roughly; approx; approximately; maybe; probably; perhaps; possibly; at least
        up to; nearly; almost; over; more than; between; minimum; max; maximum; depending
    """,
    for_="for; x; make it; a table for; seats for; as; be",
    at="""
        at; by; around; about; on; on the; before; after; from; until; till; since; past; between
        in; aged; turns; turning; happy
    """,
    unit="""
        pm; am; o clock; oclock; p; th; st; nd; rd; min; mins; minutes; minute; hours; hour; hrs; hr
        h; days; day; weeks; week; months; month; years; year; yrs; yo; km; miles; percent; dollars
        usd; euros; shekels; nis; times; january; february; march; april; may; june; july; august
        september; october; november; december; jan; feb; mar; apr; jun; jul; aug; sep; sept; oct
        nov; dec; vegetarian; vegetarians; vegan; vegans; nights; bottles; cars; gifts; street
        avenue; road; hundred; thousand
    """,
    called="""
        number; no; nr; street; room; hall; table; gate; floor; apartment; apt; flat; house; year
        class
        terminal; route; bus; press; code; is; form; unit; grade; group; chapter; row; line
    """,
    aged="year|yr|yrs|years|month|months old; yo; y o; yr olds; year olds; yearold",
    more="""
        more; extra; additional; one more; another one; another; add; adding; add one; increase by
        one extra; one additional; one up; on top; adding
    """,
    fewer="""
        less; fewer; minus; one less; one fewer; one down; reduce; reduce by?; minus him|her
        down one
        remove; take off; lose; short; remove him|her; take him|her off
    """,
    gone=people.GONE,
    skip="""
        you|ye|u two|both|all|guys|lot; yous|youse two|both?; both of you|ye; the? two of you
        happy couple
        the couple; one day; day one; number one; no one; one of those|these|the|my|our|your
        one another; the one
        one more time; one thing; one sec|second|minute|moment; for|at one
        first|this|that|which one; not one
        one and only; loved one|ones; for once; once; my mind; nobody; one way; one question
        one last
        my own; between him and me; your father|mother and i; you and me; our best; to me
        me and you; from me
        one big; one hundred; no bother; bother; my god; oh my god; alone at|with|in; let you
        you alone
        leave|leaving|left|let|face him|her|you|them alone
    """,
    alone_yes="""
        y; ya; ye; yh; ys; yse; yeh; ues; present; confirm; going; attend; accept; i accept
        yes attending
    """,
    alone_no="n; npe; neh; not going; reject; refuse",
    determiners="no",
    not_twice=True,
)
