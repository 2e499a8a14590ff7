/** End of the head of a page of a text: lines, bytes, and where the next page begins. */
const TEXT_HEAD =
  / lines (\d{1,15})-\d{1,15} bytes (\d{1,15})-\d{1,15} of (\d{1,15}); (?:next cursor \d{1,15}|end of file)\]$/;
/** End of the head of numbered lines, of a file or of the manuscript. */
const LINES_HEAD = / lines (\d{1,15})-\d{1,15} of (\d{1,15})\]$/;
const CUT = '\n[The rest is cut off: it does not fit into your context window.]';

/**
 * Cuts the result of a reading tool at about `length` characters, at the end of a line if it has one. The head of a
 * page then says where the page ends now, so that the model can read on from there.
 */
export function shortenPage(result: string, length: number): string {
  if (result.length <= length) return result;
  const at = result.indexOf('\n');
  const [head, body] = at < 0 ? ['', result] : [result.slice(0, at), result.slice(at + 1)];
  const kept = cutAtLine(body, Math.max(1, length - head.length));
  const page = TEXT_HEAD.exec(head);
  if (page) {
    const [, first, start, size] = page;
    const end = Number(start) + Buffer.byteLength(kept);
    const last = Number(first) + newlines(kept) - (kept.endsWith('\n') ? 1 : 0);
    return `${head.slice(0, page.index)} lines ${first}-${last} bytes ${start}-${end} of ${size}; next cursor ${end}]\n${kept}`;
  }
  const lines = LINES_HEAD.exec(head);
  if (lines) {
    const [, first, total] = lines;
    const shown = kept.replace(/\n$/, '');
    const last = Number(first) + newlines(shown);
    return `${head.slice(0, lines.index)} lines ${first}-${last} of ${total}]\n${shown}`;
  }
  return `${result.slice(0, length).toWellFormed()}${CUT}`;
}

/** Returns the beginning of a text: whole lines if the first fits, else whole characters. */
function cutAtLine(text: string, length: number): string {
  const end = text.lastIndexOf('\n', length - 1) + 1;
  if (end > 0) return text.slice(0, end);
  const isWithinPair = /[\uD800-\uDBFF]/.test(text.charAt(length - 1));
  return text.slice(0, isWithinPair ? length + 1 : length);
}

const newlines = (text: string): number => text.split('\n').length - 1;
