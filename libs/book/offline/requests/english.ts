import { capitalized, type RequestLanguage } from './language.js';

const REMOVE = 'remove|delete|drop|cut|lose|omit|get rid of|take out|leave out|throw out|strike';
const MERGE = 'merge|combine|join|unite';
const MOVE = 'move|put|place|shift|bring';
const ADD = 'add|insert|include|write|create';
const A_CHAPTER = '(?:a |an |one )?(?:new |another |final |last |first |opening )?chapter';
const SUBJECT = '(?:about |on |called |named |titled |for |with the title )?{what}';

/** Requests in English. */
export const english: RequestLanguage = {
  opening:
    "please|and|then|also|next|finally|(?:could|can|would) (?:you|we)(?: please)?|i would like (?:you )?to|i(?:’|')d like (?:you )?to|i want (?:you )?to|let us|let’s|let's|we should|you should",
  closing: 'please|now|too|as well|instead',
  verbs: `${REMOVE}|${MERGE}|${MOVE}|${ADD}|swap|switch|exchange|rename|retitle|split|divide|start|begin|end`,
  forms: [
    ['remove', `(?:${REMOVE}) {what}`],
    ['remove', '(?:take|leave|throw|cut) {what} out'],
    ['remove', '{what} (?:should|must|can|has to) (?:go|be (?:removed|deleted|dropped|cut))'],
    ['remove', "(?:we|i) (?:do not|don’t|don't) (?:need|want) {what}(?: any ?more)?"],
    ['swap', '(?:swap|switch|exchange|reverse)(?: the order of)? {what}(?: around)?'],
    ['swap', '(?:swap|switch|exchange)(?: the order of)? {what} (?:and|with|for) {other}'],
    [
      'split',
      '(?:split|divide|break)(?: up)? {what}(?: up)?(?: (?:in|into) (?:two|2|half|halves)(?: (?:new |separate )?(?:chapters|parts))?)?',
    ],
    [
      'split',
      '(?:split|divide|break)(?: up)? {what}(?: up)? (?:in|into)(?: two chapters)?:? {quoted} and {second}',
    ],
    ['merge', `(?:${MERGE}) {what}(?: (?:in|into) (?:one|a single)(?: chapter)?)?{titled}`],
    ['merge', '(?:make|turn) {what} into (?:one|a single)(?: chapter)?{titled}'],
    ['merge', '{what} (?:should|could) (?:be|become) (?:one|a single)(?: chapter)?{titled}'],
    ['rename', '(?:rename|retitle|call|title) {what} (?:to|as|into|:) ?{title}'],
    ['rename', '(?:call|title|name|rename|retitle) {what} {quoted}'],
    ['rename', '(?:change|set) the (?:title|name) of {what} to {title}'],
    ['rename', "(?:change|set) {what}[’']s (?:title|name) to {title}"],
    ['rename', 'give {what} the (?:title|name) {title}'],
    ['rename', '{what} (?:should|must) be (?:called|named|titled) {title}'],
    ['move', `(?:${MOVE}) {what} {place}`],
    [
      'move',
      `(?:i would like|i(?:’|')d like|i want)? ?{what} (?:to|should|must|has to|needs to|belongs|goes) ?(?:to )?(?:come|go|be|stand)? ?{place}`,
    ],
    ['move', 'make {what} {place}(?: (?:chapter|one))?'],
    ['move', '(?<first>start|begin|open)(?: the book)? with {what}'],
    ['move', '(?<last>end|finish|close|conclude)(?: the book)? with {what}'],
    ['move', '(?:let )?{what} (?:should |must )?follows? (?<after>.+)'],
    ['move', '{what} {place}'],
    [
      'add',
      `(?:${ADD}) (?:an? )?(?:(?<opening>introduction|preface|foreword|prologue)|(?<ending>conclusion|epilogue|afterword))(?: {place})?`,
    ],
    ['add', `(?:${ADD}) ${A_CHAPTER} {place} (?:about|on|called|named|titled|for|with the title) {what}`],
    ['add', `(?:${ADD}) ${A_CHAPTER} ${SUBJECT}(?: {place})?`],
    ['add', `(?:${ADD}) {place} ${A_CHAPTER} ${SUBJECT}`],
    [
      'add',
      `(?:there should be|there must be|(?:the book|it) (?:also )?needs|(?:we|i) (?:also )?(?:need|want)|i would like|i(?:’|')d like) ${A_CHAPTER} ${SUBJECT}(?: {place})?`,
    ],
    ['add', `${A_CHAPTER} ${SUBJECT} is missing(?: {place})?`],
    ['add', `(?:${ADD}) {quoted}(?: {place})?`],
  ],
  called: 'called|named|titled|as|into|under the title|with the title',
  places: {
    first: '(?:at |to |as |to be )?(?:the )?(?:very )?(?:first|beginning|start|front|top)(?: chapter| one)?',
    last: '(?:at |to |as |to be )?(?:the )?(?:very )?(?:last|end)(?: chapter| one)?',
    before: '(?:right |directly |just )?(?:before|in front of|ahead of)',
    after: '(?:right |directly |just )?(?:after|behind|following)',
    between: 'between',
    up: '(?:one )?(?:up|earlier)(?: by)?(?: one)?',
    down: '(?:one )?(?:down|later)(?: by)?(?: one)?',
  },
  chapter: 'chapters?(?: number| no\\.?)?|ones?',
  articles: 'the|my|our|both',
  numbers: 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'.split(
    ' ',
  ),
  ordinals:
    'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth'.split(
      ' ',
    ),
  endings: '',
  last: 'last|final',
  about: 'one on|one about|on|about',
  and: ',? and | with ',
  to: 'to|through',
  conditions: 'but|because|so that|although|unless|if|since',
  titleOf: capitalized,
};
