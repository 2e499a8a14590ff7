import type { Lexicon } from './lexicon.js';

export const english: Lexicon = {
  functionWords:
    'the of and to in a is that it was for on are with as be this by at from or an have not we you'.split(
      ' ',
    ),
  ownLetters: /[qvx]/,
  connectives: [
    'however',
    'therefore',
    'moreover',
    'furthermore',
    'nevertheless',
    'thus',
    'hence',
    'meanwhile',
    'instead',
    'for example',
    'in addition',
    'on the other hand',
    'as a result',
    'because',
    'although',
    'but',
    'so',
  ],
  firstSingular: /\b(?:I|I['’](?:m|ve|d|ll)|me|my|mine|myself)\b/g,
  firstPlural: /\b(?:we|we['’](?:re|ve|d|ll)|us|our|ours|ourselves)\b/gi,
  second: /\b(?:you|you['’](?:re|ve|d|ll)|your|yours|yourself)\b/gi,
  passive:
    /\b(?:is|are|was|were|be|been|being)\s+(?:\p{L}+ly\s+)?(?:\p{L}{2,}ed|made|done|given|taken|written|seen|known|found|kept|built|sent|held|shown|lost|left|set|put|read)\b/giu,
  past: /\b(?:was|were|had|did|\p{L}{3,40}ed)\b/giu,
  months: 'January February March April May June July August September October November December'.split(' '),
  mayRepeat: new Set(['had', 'that', 'very', 'no', 'ha', 'bye']),
};
