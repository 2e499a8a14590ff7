import { withoutByteOrderMark } from '#contracts/text.js';
import { decodeText } from './decode.js';
import { listHtml } from './html.js';
import { InventoryError, type Alternative, type Piece, type PieceList } from './piece.js';

interface Json {
  [key: string]: unknown;
}

/** Kinds of output from the richest to the plainest. */
const KINDS = ['text/markdown', 'text/html', 'text/latex', 'text/plain', 'application/json'];
/** Names of the kinds in notebooks of format 3. */
const OLD_KINDS: Record<string, string> = {
  text: 'text/plain',
  html: 'text/html',
  latex: 'text/latex',
  json: 'application/json',
};
const ESCAPE = '\u001b';

/**
 * Lists the pieces of a Jupyter notebook of formats 2 to 4: each line of each cell and of each output. The forms of one output are
 * versions of one text. Widgets, pictures and metadata are not listed.
 *
 * @throws InventoryError if the file is not a notebook
 */
export function listNotebook(bytes: Uint8Array, list: PieceList): void {
  const book = parseJson(decodeText(bytes));
  const sheets = Array.isArray(book['worksheets'])
    ? book['worksheets'].flatMap((sheet: unknown) => cellsOf(sheet))
    : [];
  const cells = [...cellsOf(book), ...sheets];
  if (cells.length === 0 && !Array.isArray(book['cells']) && !Array.isArray(book['worksheets']))
    throw new InventoryError('it has no cells');
  cells.forEach((cell, index) => listCell(cell, `cell ${index + 1}`, list));
}

const cellsOf = (from: unknown): Json[] =>
  isJson(from) && Array.isArray(from['cells']) ? from['cells'].filter(isJson) : [];

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads JSON in which numbers may be `NaN` or `Infinity`, as Python writes them. */
function parseJson(text: string): Json {
  const json = withoutByteOrderMark(text);
  const hasData = json.includes('"application/json"');
  const value =
    (hasData ? parsed(withWrittenNumbers(json)) : undefined) ?? parsed(json) ?? parsed(withoutNaN(json));
  if (value === undefined) throw new InventoryError('it is not JSON');
  if (!isJson(value)) throw new InventoryError('it is not a notebook');
  return value;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Replaces numbers that JSON does not allow, outside of strings. */
function withoutNaN(json: string): string {
  let isString = false;
  return json.replace(/\\.|"|-?\b(?:NaN|Infinity)\b/gs, (found) => {
    if (found === '"') isString = !isString;
    return isString || found === '"' || found.startsWith('\\') ? found : 'null';
  });
}

/** Quotes numbers that JavaScript would write with other digits, and numbers that JSON does not allow. */
function withWrittenNumbers(json: string): string {
  let isString = false;
  return json.replace(/\\.|"|-?Infinity|NaN|-?\d[\d.eE+-]*/gs, (found) => {
    if (found === '"') isString = !isString;
    const isKept = isString || /^["\\]/.test(found) || String(Number(found)) === found;
    return isKept && !/[NI]/.test(found) ? found : isString ? found : `"${found}"`;
  });
}

function listCell(cell: Json, place: string, list: PieceList): void {
  const source = joined(cell['source'] ?? cell['input']);
  const isMarkdown = cell['cell_type'] === 'markdown';
  if (isMarkdown) list.add({ place, text: source, isMarkdown });
  else addLines(source, place, list);
  // Some programs store outputs by their numbers.
  const outputs: unknown[] =
    isJson(cell['outputs']) || Array.isArray(cell['outputs']) ? Object.values(cell['outputs']) : [];
  outputs
    .filter(isJson)
    .forEach((output, index) => listOutput(output, `${place}, output ${index + 1}`, list));
}

function listOutput(output: Json, place: string, list: PieceList): void {
  const type = output['output_type'];
  if (
    type === 'stream' ||
    (output['text'] !== undefined &&
      output['data'] === undefined &&
      type !== 'pyout' &&
      type !== 'display_data')
  )
    return addLines(joined(output['text']), place, list);
  if (type === 'error' || type === 'pyerr') return listError(output, place, list);
  const data = isJson(output['data']) ? output['data'] : oldData(output);
  const kinds = KINDS.filter((kind) => data[kind] !== undefined);
  const isPicture = Object.keys(data).some((kind) => kind.startsWith('image/'));
  const group = list.newGroup();
  for (const kind of kinds) {
    // A text such as `<Figure size 640x480>` is only a placeholder for a picture.
    const isOnly = kinds.length === 1 && !isPicture;
    const alternative = isOnly ? undefined : { group, version: kind, isGenerated: true };
    if (isPicture && kind === 'text/plain' && kinds.length === 1) {
      addLines(joined(data[kind]), place, list, { again: 'the picture is used' });
      continue;
    }
    listData(kind, data[kind], { place, list, alternative });
  }
}

function oldData(output: Json): Json {
  const names = Object.entries(output).map(([name, value]) => [
    OLD_KINDS[name] ?? (/^(?:png|jpeg|svg)$/.test(name) ? `image/${name}` : name),
    value,
  ]);
  return Object.fromEntries(names) as Json;
}

interface OutputPlace {
  place: string;
  list: PieceList;
  alternative: Alternative | undefined;
}

function listData(kind: string, value: unknown, { place, list, alternative }: OutputPlace): void {
  const rest: Partial<Piece> = alternative ? { alternative } : {};
  if (kind === 'text/html')
    listHtml(joined(value), list, { prefix: place, ...(alternative ? { alternative } : {}) });
  else if (kind === 'text/markdown') list.add({ place, text: joined(value), isMarkdown: true, ...rest });
  else if (kind === 'application/json') addLines(JSON.stringify(value), place, list, rest);
  else addLines(joined(value), place, list, rest);
}

/** Lists an error as versions of one text, because the traceback mostly repeats its name and message. */
function listError(output: Json, place: string, list: PieceList): void {
  const group = list.newGroup();
  const version = (name: string): Partial<Piece> => ({
    alternative: { group, version: name, isGenerated: false },
  });
  addLines(joined(output['traceback'], '\n'), place, list, version('traceback'));
  addLines(
    `${joined(output['ename'])}: ${joined(output['evalue'])}`,
    place,
    list,
    version('name and message'),
  );
}

function addLines(text: string, place: string, list: PieceList, rest: Partial<Piece> = {}): void {
  list.addLines(shownText(text), (line) => `${place}, line ${line}`, rest);
}

function joined(value: unknown, separator = ''): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string').join(separator);
  return value === undefined || value === null || typeof value === 'object' ? '' : JSON.stringify(value);
}

/** Returns the text that a terminal shows: without colours and window titles, and without overwritten characters. */
function shownText(text: string): string {
  const plain = text.includes(ESCAPE) ? withoutCodes(text) : text;
  if (!/[\r\b]/.test(plain)) return plain;
  return plain
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .map((line) => withoutErased(line.slice(line.lastIndexOf('\r') + 1)))
    .join('\n');
}

/** Removes terminal codes: colours, movements of the cursor, titles of windows. */
function withoutCodes(text: string): string {
  return text
    .replace(/\u001b\][^\u0007\u001b]{0,4000}(?:\u0007|\u001b\\)/g, '')
    .replace(/\u001b\[[0-?]{0,100}[ -/]{0,10}[@-~]/g, '')
    .replace(/\u001b[ -/]{1,10}[0-~]/g, '')
    .replace(/\u001b[@-Z\\-_]/g, '');
}

/** Applies backspaces: each removes the character before it. */
function withoutErased(line: string): string {
  if (!line.includes('\b')) return line;
  const shown: string[] = [];
  for (const character of line) {
    if (character === '\b') shown.pop();
    else shown.push(character);
  }
  return shown.join('');
}
