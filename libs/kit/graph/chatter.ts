const AGREED =
  '(?:Sure|Certainly|Of course|Absolutely|Okay|OK|Great|Understood|Jasne|Oczywiście|Pewnie|Dobrze)';
const HERE = "(?:Here (?:is|are)|Here[’']s|Below (?:is|are)|Oto|Poniżej)(?!\\p{L})";

/**
 * Introductions of chat models before the requested text. "Here is the sea." may begin the text itself, so it
 * does not count.
 */
const ANNOUNCEMENTS = [
  `^${AGREED}[!.]$`,
  `^${AGREED}[!.] +${HERE}`,
  `^${AGREED}[!,. ][^\\n]*:$`,
  `^${HERE}[^\\n]*:$`,
].map((pattern) => new RegExp(pattern, 'iu'));
/** Closing offers of chat models: "Let me know if you would like changes." */
const OFFER =
  /^(?:Let me know|Feel free to|I hope (?:this|that)|Would you like (?:me|any)|If you(?:['’]d| would) like|Daj znać|Mam nadzieję, że|Czy chcesz, (?:abym|żebym))/iu;
const MAX_CHATTER_LENGTH = 300;

/**
 * Removes a chat model's remarks before and after the requested text. An answer that contains nothing else
 * stays as it is.
 */
export function withoutChatter(text: string): string {
  const answer = withoutAnnouncement(text.trim());
  const last = answer.lastIndexOf('\n\n');
  const end = answer.slice(last + 2);
  if (last < 0 || end.length > MAX_CHATTER_LENGTH || !OFFER.test(end)) return answer;
  return answer
    .slice(0, last)
    .trimEnd()
    .replace(/\n-{3,}$/, '')
    .trimEnd();
}

function withoutAnnouncement(text: string): string {
  const end = text.indexOf('\n');
  const line = text.slice(0, Math.max(end, 0)).trim();
  if (line.length > MAX_CHATTER_LENGTH || !ANNOUNCEMENTS.some((pattern) => pattern.test(line))) return text;
  return text.slice(end).trim();
}
