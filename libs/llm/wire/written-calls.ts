import { hasSpace, withoutLineEnd } from '#contracts/text.js';
import { isObject } from '#contracts/lenient.js';
import { calledName, type CallableTools } from '../callable-tools.js';
import { endOfValue, parseRepaired } from './repaired-json.js';

/**
 * Marks with which models begin a call in their text: control tokens, tags that name a tool or function, and a few words.
 * A server that does not know its model's form leaves the call in the text.
 */
const MARK =
  /<[|｜][^<>\n]{1,40}[|｜]>|<[^<>\n]{0,40}(?:tool|function|invoke)[^<>\n]{0,80}>|\[TOOL_CALLS?\]|\bto=functions\./i;
/** What may stand between a mark and the call, or between two calls: tags, punctuation and these words. */
const GLUE =
  /<[^<>\n]{0,80}>|\b(?:functions?|invoke|name|tool|tool_call|assistant|analysis|commentary|final|json|to|ARGS|TOOL_CALLS?)\b|[\s`'":=.,;/[\]()|<>]+/gi;
/** Maximum number of characters between a mark and the call, and between a name and the arguments. */
const MOST_BETWEEN = 200;
const FENCE = '```';

type Args = Record<string, unknown>;
interface WrittenCall {
  name: string;
  args: Args;
}

/**
 * Returns the calls of tools that a model wrote as text, and the text before them. They follow a mark, or are the whole
 * text. A call is JSON with a name and arguments, or the name of a tool before its arguments, which are JSON or a tag each.
 *
 * @returns null if the text contains no calls
 */
export function writtenCalls(
  text: string,
  tools: CallableTools,
): { text: string; calls: WrittenCall[] } | null {
  const whole = withoutFence(text.trim());
  const calls = /^[{[]/.test(whole) ? callsIn(parseRepaired(whole), tools) : [];
  if (calls.length > 0) return { text: '', calls };
  const first = MARK.exec(text)?.index ?? -1;
  if (first < 0) return null;
  for (let at = first; at >= 0; at = nextMark(text, at + 1)) {
    const read = callsAfter(text, at, tools);
    calls.push(...read.calls);
    at = Math.max(at, read.end - 1);
  }
  return calls.length === 0 ? null : { text: text.slice(0, first).trim(), calls };
}

function nextMark(text: string, from: number): number {
  const at = text.slice(from).search(MARK);
  return at < 0 ? -1 : from + at;
}

function withoutFence(text: string): string {
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE)) return text;
  return text.slice(text.indexOf('\n') + 1, -FENCE.length);
}

/** Returns the calls that follow each other from an index, and the index after them. */
function callsAfter(text: string, from: number, tools: CallableTools): { calls: WrittenCall[]; end: number } {
  const calls: WrittenCall[] = [];
  const names = [...tools.keys()].map((name) => name.replace(/\W/g, '\\$&'));
  const nameOrJson = new RegExp(`(?<![\\w-])(?:${['(?!)', ...names].join('|')})(?![\\w-])|[{[](?=[\\s"{])`);
  for (let end = from; ;) {
    const found = nameOrJson.exec(text.slice(end, end + MOST_BETWEEN));
    if (!found || text.slice(end, end + found.index).replace(GLUE, '') !== '') return { calls, end };
    const start = end + found.index;
    const [name] = found;
    const read = tools.has(name)
      ? argumentsAfter(text, start + name.length, name, tools)
      : { end: endOfValue(text, start) };
    if (read.end < 0) return { calls, end };
    if ('args' in read) calls.push({ name, args: read.args });
    else calls.push(...callsIn(parseRepaired(text.slice(start, read.end)), tools));
    end = read.end;
  }
}

/** Returns the calls that a JSON value describes. */
function callsIn(value: unknown, tools: CallableTools): WrittenCall[] {
  if (Array.isArray(value)) return value.flatMap((each) => callsIn(each, tools));
  if (!isObject(value)) return [];
  if (Array.isArray(value['tool_calls'])) return callsIn(value['tool_calls'], tools);
  const { function: called } = value;
  const call = isObject(called) ? called : value;
  const name = [call['name'], called, call['tool'], call['tool_name']].find(
    (each) => typeof each === 'string',
  );
  const given = ARGUMENTS.map((key) => call[key]).find((each) => each !== undefined) ?? {};
  const args = typeof given === 'string' ? parseRepaired(given) : given;
  const meant = typeof name === 'string' ? calledName(name, tools) : '';
  return tools.has(meant) && isObject(args) ? [{ name: meant, args }] : [];
}

const ARGUMENTS = ['arguments', 'parameters', 'args', 'input', 'tool_input'];

/** A parameter in tags: how it begins, with its name, and how it ends. */
const PARAMETERS = [
  { begin: /<parameter(?:=| {1,3}name=)["']?([\w.-]{1,100})["']?[^<>\n]{0,40}>/y, end: '</parameter>' },
  { begin: /<arg_key>\s*([\w.-]+)\s*<\/arg_key>\s*<arg_value>/y, end: '</arg_value>' },
];
/** Reads the arguments after the name of a tool. `end` is −1 if they are not complete. */
function argumentsAfter(
  text: string,
  from: number,
  name: string,
  tools: CallableTools,
): { args: Args; end: number } {
  const near = text.slice(from, from + MOST_BETWEEN);
  const begin = near.search(/[{]|<(?:parameter|arg_key)\b|<\//);
  const at = from + begin;
  if (begin >= 0 && text[at] === '{') {
    const end = endOfValue(text, at);
    const args = end < 0 ? null : parseRepaired(text.slice(at, end));
    return isObject(args) ? { args, end } : { args: {}, end: -1 };
  }
  if (begin < 0 || text.startsWith('</', at)) return { args: {}, end: tools.get(name)!({}) ? from : -1 };
  const { values, end } = taggedValues(text, at);
  const typed = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, typedValue(value)]));
  const mixed = Object.entries(values).map(([key, value]) => ({ ...typed, [key]: value }));
  return { args: [values, typed, ...mixed].find(tools.get(name)!) ?? values, end };
}

/** A value in tags has no type: numbers, lists and others are written as JSON. */
function typedValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const lower = text.toLowerCase();
    return lower === 'true' || (lower === 'false' ? false : text);
  }
}

function taggedValues(text: string, from: number): { values: Record<string, string>; end: number } {
  const values: Record<string, string> = {};
  for (let at = from; ;) {
    while (hasSpace(text[at] ?? '')) at += 1;
    const found = PARAMETERS.map(({ begin, end }) => {
      begin.lastIndex = at;
      return { match: begin.exec(text), end };
    }).find(({ match }) => match !== null);
    if (!found) return { values, end: at };
    const { match, end } = found;
    const start = at + match![0].length;
    const stop = endOfTagged(text, start, end);
    values[match![1]!] = withoutLineEnd(text.slice(start, stop).replace(/^\r?\n/, ''));
    at = stop + (text.startsWith(end, stop) ? end.length : 0);
  }
}

/** Returns where a value ends: at its end tag, behind which another tag or nothing follows, or where the call ends. */
function endOfTagged(text: string, from: number, end: string): number {
  for (let at = text.indexOf(end, from); at >= 0; at = text.indexOf(end, at + 1))
    if (/^(?:<|$)/.test(text.slice(at + end.length).trimStart())) return at;
  const call = text.slice(from).search(/<\/(?:function|invoke|tool_call)>/);
  return call < 0 ? text.length : from + call;
}

/** Removes calls from a text that arrives in parts, so that people do not read them. */
export class WrittenCallFilter {
  private waiting = '';
  private state: 'start' | 'text' | 'calls' = 'start';

  /** @returns what may be shown of the text so far and was not returned before */
  add(part: string): string {
    if (this.state === 'calls') return '';
    this.waiting += part;
    const [first] = this.waiting.trimStart();
    if (first === undefined) return '';
    const at = this.waiting.search(MARK);
    if (at >= 0 || (this.state === 'start' && first === '{')) {
      this.state = 'calls';
      return this.waiting.slice(0, Math.max(at, 0)).trimEnd();
    }
    this.state = 'text';
    return this.take(BEGUN_MARK.exec(this.waiting)?.index ?? this.waiting.length);
  }

  /** @returns what is left when the text has ended */
  end(): string {
    return this.state === 'calls' ? '' : this.take(this.waiting.length);
  }

  private take(length: number): string {
    const shown = this.waiting.slice(0, length);
    this.waiting = this.waiting.slice(length);
    return shown;
  }
}

/** The beginning of a mark at the end of a text. */
const BEGUN_MARK = /(?:<[^<>\n]{0,130}|\[[A-Z_]{0,10}|\bto=[a-z]{0,9})$/i;
