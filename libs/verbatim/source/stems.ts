import { hasDigit, withoutEnding } from '#contracts/text.js';

const STOP_WORDS = new Set(
  (
    'a an the and or but if then than so of to in on at by for from with as is are was were be been being am do does did done has have had ' +
    'having it its this that these those there here he she they we you i him her them us our your their his my me which who whom whose what when ' +
    'where while how why will would shall should can could may might must also just only very more most such into onto over under about after ' +
    'before between during through per via up down out own same other each every all any some again further once both few not no nor never ' +
    'der die das und oder ein eine einer eines ist sind war im in den dem des zu mit von auf für als auch sich es er sie wir'
  ).split(' '),
);

/** Groups of synonyms in technical prose; the first word represents the group. */
const SYNONYMS = new Map<string, string>(
  [
    'start starts started starting begin begins began begun launch launches launched boot boots booted',
    'stop stops stopped end ends ended halt halts halted finish finishes finished terminate terminates terminated',
    'delete deletes deleted deleting remove removes removed removing erase erases erased removal deletion',
    'create creates created creating make makes made build builds built generate generates generated produce produces produced',
    'use uses used using employ employs employed utilise utilises utilize',
    'show shows showed shown display displays displayed present presents presented',
    'send sends sent sending transmit transmits transmitted deliver delivers delivered ship ships shipped',
    'get gets got receive receives received obtain obtains obtained fetch fetches fetched retrieve retrieves',
    'change changes changed modify modifies modified alter alters altered',
    'need needs needed require requires required',
    'permit permits permitted allow allows allowed let lets',
    'big large huge',
    'fast quick quickly rapid rapidly',
    'machine computer host server servers',
    'mistake error errors fault faults',
    'store stores stored storing save saves saved saving keep keeps kept',
    'buy buys bought purchase purchases purchased',
    'contain contains contained hold holds held include includes included comprise comprises',
    'total altogether overall',
    'increase increases increased rise rises rose raise raises raised grow grows grew',
    'decrease decreases decreased fall falls fell drop drops dropped reduce reduces reduced',
    'take takes took last lasts lasted',
    'write writes wrote written',
    'read reads reading',
    'choose chooses chose chosen select selects selected pick picks picked',
    'pay pays paid payment cost costs',
    'check checks checked verify verifies verified test tests tested',
  ].flatMap((line) => {
    const words = line.split(' ');
    return words.map((word) => [word, words[0] as string] as const);
  }),
);

/** Returns the stems of a sentence without function words, to compare different wordings of a statement. */
export function stems(text: string): string[] {
  const found = new Set<string>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,'’_:/-][\p{L}\p{N}]+)*/gu) ?? []) {
    if (STOP_WORDS.has(word)) continue;
    found.add(stem(word));
  }
  if (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(text))
    for (const pair of characterPairs(text)) found.add(pair);
  return [...found];
}

function stem(word: string): string {
  const same = SYNONYMS.get(word);
  if (same !== undefined) return same;
  if (word.length <= 4 || hasDigit(word)) return withoutEnding(word, 's');
  const base = word.replace(/(?:ations?|ments?|ingly|edly|ness|ings?|ers?|ies|ied|es|ed|ly|s|y|e)$/u, '');
  return base.length >= 3 ? base.slice(0, 7) : word;
}

function characterPairs(text: string): string[] {
  const runs = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}/g) ?? [];
  return runs.flatMap((run) => Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2)));
}
