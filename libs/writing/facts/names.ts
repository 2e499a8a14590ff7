import type { FactKind } from '#contracts/facts.js';

/** A name or term in a sentence, with its offset. */
interface NamedThing {
  kind: Extract<FactKind, 'person' | 'place' | 'organisation' | 'term'>;
  text: string;
  at: number;
}

const WORD = "\\p{Lu}[\\p{L}\\p{N}'’-]*\\p{L}";
const LINK = '(?:de|la|le|von|van|der|den|du|di|da|of|the|del|zu|und|y|i)';
const NAME = new RegExp(`(?<![\\p{L}\\p{N}])${WORD}(?:\\s+(?:${LINK}\\s+){0,2}${WORD}){0,5}`, 'gu');
const TITLE =
  /\b(?:Dr|Mr|Mrs|Ms|Prof|Professor|Sir|Lady|Lord|King|Queen|Captain|Pastor|Father|Sister|Brother|Herr|Frau|Pan|Pani|Madame|Monsieur|keeper|engineer|mayor|captain|historian|author)\.?\s+$/u;
const ORGANISATION =
  /\b(?:University|Institute|Institut|Academy|Society|Association|Council|Committee|Commission|Ministry|Museum|Library|Company|Corporation|Corp|Inc|Ltd|GmbH|AG|Trust|Foundation|Union|Bank|Board|Office|Department|Agency|Service|School|College|Club|Guild|Press|Authority|Uniwersytet|Instytut|Verein|Gesellschaft|Hochschule)\b/u;
const PLACE =
  /\b(?:River|Mountains?|Valley|Street|Sea|Ocean|Lake|Bay|Island|Islands|Harbour|Harbor|Port|Point|Cape|Coast|Bridge|Square|Road|Avenue|City|County|Province|Castle|Church|Tower|Lighthouse|Forest|Rock|Head|Ness|Kirk|Straße|Strasse|Platz|Fluss|See|Rzeka|Ulica)$/u;
const PLACE_BEFORE =
  /(?:^|\s)(?:in|at|near|from|towards?|outside|inside|across|around|off|through|between|into|to|nach|bei|aus|w|z|do|à|en)\s+(?:the\s+|der\s+|den\s+|dem\s+)?$/iu;
const SPEAKS =
  /^\s{0,3},?\s{0,3}(?:said|says|wrote|writes|told|asked|recalled|recalls|remembers|remembered|explained|explains|noted|notes|argued|argues|was born|died|married|replied|answered|sagte|schrieb|powiedział\p{L}*|napisał\p{L}*)\b/u;
const SPOKEN = /\b(?:said|told|asked|wrote|according to|by|with)\s+$/u;
const EMPHASIS = /(?<!\*)\*\*([^*\n]{2,60})\*\*(?!\*)|(?<![*\w])[*_]([\p{L}][^*_\n]{1,60})[*_](?![*\w])/gu;
const CALLED =
  /\b(?:called|known as|termed|named|genannt|zwan[ya])\s{1,3}(?:(?:an?|the)\s{1,3})?["“„]?([\p{L}][\p{L} -]{2,40}?)["”“]?(?=[,.;:)]|$)/gu;
const ABBREVIATION = /(?<![\p{L}\p{N}-])\p{Lu}{2,8}(?:-?\d{1,3})?(?![\p{L}\p{N}])/gu;
const SKIP =
  /^(?:I|The|A|An|In|On|At|It|He|She|They|We|You|This|That|These|Those|There|Here|And|But|Or|If|When|While|As|By|For|From|To|With|Of|So|Then|Now|Yes|No|Not|What|Who|Why|How|Where|Which|Its|His|Her|Our|Their|My|One|Two|Every|Each|All|Some|Many|Most|Both|After|Before|Since|Until|During|January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Chapter|Section|Figure|Table|Part|Note|Notes|Mr|Mrs|Ms|Dr|Prof|Later|Soon|Once|Today|Yesterday|Tomorrow|Meanwhile|However|Although|Because|Though|Still|Yet|Even|Only|Just|Perhaps|Finally|First|Second|Third|Next|Again|Never|Always|Often|Sometimes|Nobody|Nothing|Someone|Another|Such|Between|Under|Over|Without|Within|Near|Behind|Above|Below|Inside|Outside|Up|About|Around|Nearly|Almost|Roughly|More|Less|Is|Was|Are|Were|Has|Had|Do|Does|Did|Can|Could|Will|Would|Might|Must|Should|Let|Here|Der|Die|Das|Ein|Eine|Und|Aber|Im|Am|Als|Wenn|W|Na|Do|Z|Po|Le|Les|Un|Une)$/u;

/**
 * Returns the names and terms of a sentence. @param ordinary words that the text also writes in lower case,
 * so that their capital at the start of a sentence does not indicate a name
 */
export function namesIn(sentence: string, ordinary: ReadonlySet<string>): NamedThing[] {
  const found: NamedThing[] = [];
  const usedSpans: [number, number][] = [];
  for (const candidate of [...terms(sentence), ...properNames(sentence, ordinary)]) {
    const end = candidate.at + candidate.text.length;
    if (usedSpans.some(([from, to]) => candidate.at < to && end > from)) continue;
    usedSpans.push([candidate.at, end]);
    found.push(candidate);
  }
  return found.sort((a, b) => a.at - b.at);
}

/** Returns the words that a text writes in lower case somewhere. */
export function smallWords(text: string): Set<string> {
  return new Set(text.match(/(?<![\p{L}\p{N}])\p{Ll}[\p{L}]+/gu) ?? []);
}

function terms(sentence: string): NamedThing[] {
  const found: NamedThing[] = [];
  const add = (text: string, at: number) => found.push({ kind: 'term', text, at });
  for (const match of sentence.matchAll(EMPHASIS)) {
    const text = (match[1] ?? match[2]) as string;
    add(text, match.index + match[0].indexOf(text));
  }
  for (const match of sentence.matchAll(CALLED)) {
    const text = match[1] as string;
    if (!/^\p{Lu}/u.test(text)) add(text, match.index + match[0].lastIndexOf(text));
  }
  for (const match of sentence.matchAll(ABBREVIATION)) add(match[0], match.index);
  return found;
}

function properNames(sentence: string, ordinary: ReadonlySet<string>): NamedThing[] {
  const found: NamedThing[] = [];
  for (const match of sentence.matchAll(NAME)) {
    const { text, at } = trimmed(match[0], match.index, ordinary, startsSentence(sentence, match.index));
    if (text === '') continue;
    found.push({ kind: kindOfName(sentence, text, at), text, at });
  }
  return found;
}

/** Removes leading words that are capitalized because of their position, and a possessive ending. */
function trimmed(
  name: string,
  at: number,
  ordinary: ReadonlySet<string>,
  first: boolean,
): { text: string; at: number } {
  let words = name.split(/(\s+)/);
  let offset = at;
  let leading = first;
  while (words.length > 0) {
    const word = words[0] as string;
    const common = SKIP.test(word) || (leading && ordinary.has(word.toLowerCase()));
    if (!common && !/^\p{Ll}/u.test(word)) break;
    offset += word.length + (words[1]?.length ?? 0);
    words = words.slice(2);
    leading = false;
  }
  while (
    words.length > 0 &&
    (SKIP.test(words.at(-1) as string) || /^(?:\p{Ll}.*|\s+)$/u.test(words.at(-1) as string))
  )
    words.pop();
  return { text: words.join('').replace(/['’]s$/, ''), at: offset };
}

function kindOfName(sentence: string, name: string, at: number): NamedThing['kind'] {
  const before = sentence.slice(Math.max(0, at - 40), at);
  const behind = sentence.slice(at + name.length, at + name.length + 40);
  if (ORGANISATION.test(name)) return 'organisation';
  if (PLACE.test(name)) return 'place';
  if (TITLE.test(before) || SPEAKS.test(behind) || SPOKEN.test(before)) return 'person';
  if (PLACE_BEFORE.test(before)) return 'place';
  return /\s/.test(name) ? 'person' : 'term';
}

function startsSentence(sentence: string, at: number): boolean {
  return !/[\p{L}\p{N}]/u.test(sentence.slice(0, at));
}
