import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages';
import type { ValidationIssue } from '#contracts/manuscript.js';
import { scanText } from '#markdown/fences.js';
import { EMPTY_MANUSCRIPT } from '#document/graph/tools/validation.js';
import { buildWorkOrder, type WorkOrderState } from '#document/prompts/work-order.js';

export interface ScribeSessionOptions {
  /** Page size of `read_file` in bytes. */
  pageBytes?: number;
  /** Inputs that are not text. */
  assets?: string[];
  missing?: string[];
  decisions?: Record<string, string>;
  /** Returns the issues of the manuscript at each checkpoint. */
  validate?: (manuscript: string) => ValidationIssue[] | Promise<ValidationIssue[]>;
  /** Makes the n-th tool call (from 1) fail. */
  failCall?: (call: number, name: string) => boolean;
  maxSteps?: number;
}

/**
 * In-memory version of the document graph's tools, for any chat model: the same arguments, results and rules about messages, without a
 * queue or a database. For tests of models; the graph has separate tests.
 */
export class ScribeSession {
  manuscript = '';
  readonly questions: string[] = [];
  readonly labels: string[] = [];
  readonly closing: string[] = [];
  steps = 0;
  /** Length of the longest prompt in characters. */
  longestPrompt = 0;
  private readonly filesRead = new Set<string>();
  /** Manuscripts at the validated checkpoints; the first has the ID `1.md`. */
  private readonly checkpoints: string[] = [];
  private readonly decisions: Record<string, string>;
  private calls = 0;
  private chapter = 1;
  private fixAttempts = 0;
  private issues: ValidationIssue[] = [];
  /** Manuscript that passed after every text input was read; null before. */
  private validated: string | null = null;

  constructor(
    private readonly inputs: Map<string, Buffer>,
    private readonly options: ScribeSessionOptions = {},
  ) {
    this.decisions = { ...options.decisions };
  }

  /**
   * Runs the model until it answers without a tool call, or calls tools without changing a manuscript that was validated
   * after every text input was read. In both cases, the graph would continue with the export (D21).
   */
  async run(model: { invoke(messages: BaseMessage[]): Promise<AIMessage> }): Promise<void> {
    let messages: BaseMessage[] = [this.workOrder()];
    for (;;) {
      if (++this.steps > (this.options.maxSteps ?? 10_000))
        throw new Error('The model does not come to an end');
      const prompt = [new SystemMessage('system'), ...messages];
      this.longestPrompt = Math.max(
        this.longestPrompt,
        prompt.reduce((sum, message) => sum + message.text.length, 0),
      );
      const reply = await model.invoke(prompt);
      if ((reply.tool_calls ?? []).length === 0) {
        this.closing.push(reply.text);
        return;
      }
      messages = await this.answer(messages, reply);
      const isChapterEnd = (reply.tool_calls ?? []).some(({ name }) => name === 'create_checkpoint');
      if (!isChapterEnd && this.validated === this.manuscript) return;
    }
  }

  /** References for which a decision was made. */
  get decided(): string[] {
    return Object.keys(this.decisions);
  }

  /** Returns whether the last page of the file was read. */
  hasRead(name: string): boolean {
    return this.filesRead.has(name);
  }

  private async answer(messages: BaseMessage[], reply: AIMessage): Promise<BaseMessage[]> {
    const names = (reply.tool_calls ?? []).map((call) => call.name);
    const results = (reply.tool_calls ?? []).map((call) => {
      const { content, status } = this.call(call.name, call.args);
      return new ToolMessage({ tool_call_id: call.id ?? '', content, status, name: call.name });
    });
    if (names.includes('create_checkpoint')) {
      const passed = await this.endChapter();
      return passed ? [this.workOrder()] : [...keepTwo([...messages, reply, ...results]), this.workOrder()];
    }
    const history = [...messages, reply, ...results];
    if (names.includes('request_human_input')) return [...keepTwo(history), this.workOrder()];
    return keepTwo(history);
  }

  /** Returns whether the chapter passes: without issues, or after three attempts, when a person accepts it. */
  private async endChapter(): Promise<boolean> {
    this.issues = (await this.options.validate?.(this.manuscript)) ?? [];
    if (this.issues.length > 0) this.fixAttempts += 1;
    if (this.issues.length > 0 && this.fixAttempts <= 3) return false;
    this.issues = [];
    this.fixAttempts = 0;
    this.chapter += 1;
    this.checkpoints.push(this.manuscript);
    if (this.filesRead.size === this.inputs.size) this.validated = this.manuscript;
    return true;
  }

  private workOrder(): HumanMessage {
    const assets = this.options.assets ?? [];
    const state: WorkOrderState = {
      session_id: 'session',
      input_files: [...this.inputs.keys(), ...assets],
      text_files: [...this.inputs.keys()],
      current_chapter: this.chapter,
      document_outline: scanText(this.manuscript).outline,
      missing_references: this.options.missing ?? [],
      user_decisions: this.decisions,
      validation_passed: this.issues.length === 0,
      validation_issues: this.issues,
      last_error: null,
      error_type: null,
      files_read: [...this.filesRead],
      files_written: [...this.filesRead],
      last_checkpoint_id: this.checkpoints.length === 0 ? null : `${this.checkpoints.length}.md`,
      fix_attempts: this.fixAttempts,
      conversion_attempts: 0,
    };
    return new HumanMessage(buildWorkOrder(state, this.tail(100)));
  }

  private tail(lines: number): string {
    if (this.manuscript === '') return '';
    return `${this.manuscript.slice(0, -1).split('\n').slice(-lines).join('\n')}\n`;
  }

  private call(
    name: string,
    args: Record<string, unknown>,
  ): { content: string; status: 'success' | 'error' } {
    this.calls += 1;
    const failed = (text: string) => ({ content: `Error: ${text}`, status: 'error' as const });
    if (this.options.failCall?.(this.calls, name)) return failed('the disk is full');
    const content = this.perform(name, args);
    return content === null ? failed(`cannot ${name}`) : { content, status: 'success' };
  }

  private perform(name: string, args: Record<string, unknown>): string | null {
    if (name === 'list_files') return this.list();
    if (name === 'read_file') return this.page(String(args.filename), Number(args.cursor ?? 0));
    if (name === 'read_generated_file') return this.tail(Number(args.lines));
    if (name === 'append_to_markdown') return this.append(String(args.content));
    if (name === 'edit_markdown_line') return this.edit(Number(args.line_number), String(args.new_content));
    if (name === 'create_checkpoint') return `20240312_101500_${this.labels.push(String(args.label))}`;
    if (name === 'rollback_to_checkpoint') return this.rollBack(String(args.checkpoint_id));
    return name === 'request_human_input' ? this.ask(String(args.question), args.refs as string[]) : null;
  }

  private list(): string {
    const files = [...this.inputs].map(([name, content]) => ({ name, bytes: content.length }));
    return JSON.stringify([...files, ...(this.options.assets ?? []).map((name) => ({ name, bytes: 1 }))]);
  }

  private page(name: string, start: number): string | null {
    const content = this.inputs.get(name);
    // Like the product, refuse a cursor within a character or past the end.
    if (content === undefined || start > content.length || (content[start] ?? 0) >> 6 === 2) return null;
    let end = Math.min(content.length, start + (this.options.pageBytes ?? 32 * 1024));
    const lineEnd = content.lastIndexOf(10, end - 1) + 1;
    if (end < content.length && lineEnd > start) end = lineEnd;
    while (end < content.length && (content[end] ?? 0) >> 6 === 2) end += 1;
    if (end >= content.length) this.filesRead.add(name);
    const rest = end >= content.length ? 'end of file' : `next cursor ${end}`;
    const header = `[file ${JSON.stringify(name)} lines 0-0 bytes ${start}-${end} of ${content.length}; ${rest}]`;
    return `${header}\n${content.subarray(start, end).toString('utf8')}`;
  }

  private rollBack(id: string): string {
    this.manuscript = id === EMPTY_MANUSCRIPT ? '' : (this.checkpoints[Number.parseInt(id, 10) - 1] ?? '');
    return `Restored ${id}`;
  }

  private append(content: string): string {
    const isOpen = scanText(this.manuscript).openFence !== null;
    const needsBlank = !isOpen && this.manuscript !== '' && !/(?:^|\n)\s*\n$/.test(this.manuscript);
    this.manuscript += `${needsBlank ? '\n' : ''}${content}${content.endsWith('\n') ? '' : '\n'}`;
    return 'Appended.';
  }

  private edit(line: number, content: string): string | null {
    const lines = this.manuscript.split('\n');
    if (line < 1 || line >= lines.length || content.includes('\n')) return null;
    lines[line - 1] = content;
    this.manuscript = lines.join('\n');
    return `Line ${line} replaced.`;
  }

  private ask(question: string, refs: string[]): string {
    this.questions.push(question);
    for (const ref of refs) this.decisions[ref] = 'skip';
    return 'The question is put to a person; the run goes on with the answer.';
  }
}

/** Returns the work order and the last two exchanges, the only messages that a model may rely on. */
function keepTwo(messages: BaseMessage[]): BaseMessage[] {
  const exchanges = messages.flatMap((message, index) => (AIMessage.isInstance(message) ? [index] : []));
  const from = exchanges.at(-2) ?? 0;
  const order = messages.findLast((message) => HumanMessage.isInstance(message));
  return order === undefined || messages.indexOf(order) >= from
    ? messages.slice(from)
    : [order, ...messages.slice(from)];
}
