const TAG = '(?:think|thinking|thought|reasoning|seed:think)';
/** Some models write brackets, and gpt-oss channels, of which only the last is the answer. */
const BEGIN = new RegExp(`^\\s*(?:<${TAG}>|\\[THINK\\]|<\\|(?:channel|start)\\|>)`, 'i');
const END = new RegExp(`</${TAG}>|\\[/THINK\\]|<\\|channel\\|>final<\\|message\\|>`, 'i');
const END_OF_LINE = new RegExp(`</${TAG}>[ \\t]*$`, 'im');
const QUOTED = new RegExp(`\`\`\`|<${TAG}>`, 'i');

/**
 * Removes the reasoning that some models send before their answer: `<think>…</think>`. If the chat template
 * adds the opening tag itself, only the closing tag appears in the answer. Reasoning without an end leaves an
 * empty answer.
 */
export function withoutThinking(text: string): string {
  let answer = text;
  while (BEGIN.test(answer)) {
    const end = END.exec(answer);
    if (!end) return '';
    answer = answer.slice(end.index + end[0].length);
  }
  if (answer !== text) return answer.trimStart();
  const end = END_OF_LINE.exec(text);
  // After a code fence the tag is quoted; after an opening tag it belongs to the text.
  if (!end || QUOTED.test(text.slice(0, end.index))) return text;
  return text.slice(end.index + end[0].length).trimStart();
}

const OPENING = [
  ...['think', 'thinking', 'thought', 'reasoning', 'seed:think'].map((name) => `<${name}>`),
  '[think]',
  '<|channel|>',
  '<|start|>',
];
const LONGEST_TAG = '<|channel|>final<|message|>'.length;

/** Removes reasoning from the start of a text that arrives in parts. */
export class ThinkingFilter {
  private waiting = '';
  private hadThinking = false;
  private state: 'start' | 'thinking' | 'answer' = 'start';

  /** @returns what may be shown of the text so far and was not returned before */
  add(part: string): string {
    if (this.state === 'answer') return part;
    this.waiting += part;
    if (this.state === 'start') {
      if (BEGIN.test(this.waiting)) this.state = 'thinking';
      else if (this.mayBeTag()) return '';
      else return this.end();
    }
    const end = END.exec(this.waiting);
    if (!end) {
      // Only the end tag matters, which may arrive in parts.
      this.waiting = this.waiting.slice(-(LONGEST_TAG + 1));
      return '';
    }
    this.waiting = this.waiting.slice(end.index + end[0].length);
    this.hadThinking = true;
    this.state = 'start';
    return this.add('');
  }

  private mayBeTag(): boolean {
    const text = this.waiting.trimStart().toLowerCase();
    return OPENING.some((tag) => tag.startsWith(text));
  }

  private end(): string {
    this.state = 'answer';
    const text = this.waiting;
    this.waiting = '';
    return this.hadThinking ? text.trimStart() : text;
  }
}
