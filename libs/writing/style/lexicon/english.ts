import { pairsOf } from '#contracts/text.js';
import type { Lexicon, Spelling } from './lexicon.js';

const ISE =
  'organ real recogn summar minim maxim optim priorit standard special custom categor emphas apolog critic general central final visual author memor modern normal synchron util'
    .split(' ')
    .join('|');
const VERB_ENDING = '(?:e|es|ed|er|ers|ing|ation|ations)';

const ise: Spelling = {
  ways: [
    { form: 'organise', words: new RegExp(`\\b(?:${ISE})is${VERB_ENDING}\\b`, 'gi') },
    { form: 'organize', words: new RegExp(`\\b(?:${ISE})iz${VERB_ENDING}\\b`, 'gi') },
  ],
  rewrite: (word, wanted) =>
    wanted === 'organise'
      ? word.replace(/iz(?=(?:e|es|ed|er|ers|ing|ations?)$)/, 'is')
      : word.replace(/is(?=(?:e|es|ed|er|ers|ing|ations?)$)/, 'iz'),
};

/** British and American stems with the same inflections. */
const PAIRS = pairsOf(
  'colour:color favour:favor behaviour:behavior neighbour:neighbor honour:honor labour:labor centre:center theatre:theater travell:travel cancell:cancel labell:label modell:model analyse:analyze defence:defense catalogue:catalog grey:gray',
);
const ENDING: Record<string, string> = { ll: '(?:ed|ing|er|ers)', l: '(?:ed|ing|er|ers)' };
const side = (index: 0 | 1) =>
  PAIRS.map((pair) => {
    const stem = pair[index];
    const doubled = pair[0].endsWith('ll');
    return `${stem}${doubled ? ENDING.l : '(?:s|ed|d|ing|ful|less|hood|able|ite|ites|al|ally|r|rs)?'}`;
  }).join('|');

const our: Spelling = {
  ways: [
    { form: 'colour', words: new RegExp(`\\b(?:${side(0)})\\b`, 'g') },
    { form: 'color', words: new RegExp(`\\b(?:${side(1)})\\b`, 'g') },
  ],
  rewrite(word, wanted) {
    const [from, to] = wanted === 'colour' ? ([1, 0] as const) : ([0, 1] as const);
    const pair = PAIRS.find((one) => word.startsWith(one[from]));
    return pair ? pair[to] + word.slice(pair[from].length) : word;
  },
};

export const english: Lexicon = {
  functionWords:
    'the of and to in a is that it was for on are with as be this by at from or an have not we you'.split(
      ' ',
    ),
  ownLetters: /[qvx]/,
  connectives:
    'however, therefore, moreover, furthermore, additionally, consequently, nevertheless, nonetheless, thus, hence, meanwhile, instead, besides, similarly, for example, for instance, in addition, on the other hand, as a result, in fact, of course, because, although, though, while, since, but, so, still, yet'.split(
      ', ',
    ),
  firstSingular: /\b(?:I|I['’](?:m|ve|d|ll)|me|my|mine|myself)\b/g,
  firstPlural: /\b(?:we|we['’](?:re|ve|d|ll)|us|our|ours|ourselves)\b/gi,
  second: /\b(?:you|you['’](?:re|ve|d|ll)|your|yours|yourself|yourselves)\b/gi,
  passive:
    /\b(?:is|are|was|were|be|been|being)\s+(?:\p{L}+ly\s+)?(?:\p{L}{2,}ed|made|done|given|taken|written|seen|known|found|kept|built|sent|held|shown|lost|left|set|put|read)\b/giu,
  past: /\b(?:was|were|had|did|\p{L}{3,40}ed)\b/giu,
  months: 'January February March April May June July August September October November December'.split(' '),
  shortMonths: 'Jan Feb Mar Apr (?!) Jun Jul Aug Sept? Oct Nov Dec'.split(' '),
  mayRepeat: new Set(['had', 'ha', 'bye', 'blah', 'knock']),
  perhapsMeant: new Set(['that', 'very', 'no', 'so', 'really', 'many', 'much', 'long']),
  label:
    /(?:^|[^\p{L}])(?:port|line|error|code|room|bus|issue|page|pages|version|release|no\.|number|chapter|section|figure|fig\.|table|step|status|build|id|model|flight|gate|v)\s$/iu,
  contractions: {
    short:
      /\b(?:(?:is|are|was|were|do|does|did|has|have|had|ca|could|would|should|wo|must|need)n['’]t|(?:it|that|there|he|she|what|who|let)['’]s|(?:we|you|they|I)['’](?:re|ve|ll|d|m)|(?:it|he|she|that)['’]ll)\b/giu,
    full: /\b(?:(?:is|are|was|were|do|does|did|has|have|had|could|would|should|must) not|cannot|(?:it|that|there) is|(?:we|you|they) (?:are|will|have)|I (?:am|will|have))\b/giu,
  },
  spellings: [ise, our],
  stockOpening:
    /^(?:in today['’]s\s|nowadays[,\s]|in (?:this|the following) (?:article|post|blog post)[,\s]|in recent years[,\s]|since the dawn of\s|it is (?:well known|no secret) that\s|have you ever wondered\s|in an? (?:ever-changing|fast-paced)\s|welcome (?:back )?to\s)/iu,
  stockClosing:
    /^(?:in conclusion[,\s]|to (?:conclude|sum up|summari[sz]e)[,\s]|in summary[,\s]|all in all[,\s]|at the end of the day[,\s]|last but not least[,\s]|thanks? (?:you )?for reading)/iu,
};
