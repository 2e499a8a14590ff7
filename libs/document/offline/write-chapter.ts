import { endsBlank, withoutByteOrderMark } from '#contracts/text.js';
import { ToolError, type InputPage, type ManuscriptVersion, type InputPort } from '#kit/graph/ports.js';
import { escapeInline } from '#markdown/escape.js';
import { stepKey } from '#kit/graph/node.js';
import { RemoveMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { REMOVE_ALL_MESSAGES } from '@langchain/langgraph';
import type { DocumentPorts } from '../graph/ports.js';
import { saveCheckpoint } from '../graph/save-checkpoint.js';
import { backToProven, dueChapters, type DocumentState, type DocumentUpdate } from '../graph/state.js';
import { takeOver } from '../graph/take-over.js';
import { EMPTY_MANUSCRIPT } from '../graph/tools/validation.js';
import { imageLine } from './image-line.js';
import { Folders } from './sources/folders.js';
import { canPlaceImages, imagesOf } from './sources/kind.js';
import type { WriterState } from './writers/writers.js';

/** Maximum number of files of a chapter, and of their bytes, if it has more than one. */
const TOGETHER = { files: 64, bytes: 256_000 };
const ATTACHMENTS = 'Attachments';
const TOO_HARD =
  ' It nests or repeats marks too often to be read as Markdown, so it is in a code fence, as written.';

/**
 * Offline writer: writes the next chapter by rules and marks it as complete. A chapter is one file, or several that
 * are carried verbatim; the last one also shows the images that no text places. Ends the writing if nothing is left.
 *
 * A chapter follows the last validated manuscript, so that an interrupted one begins again.
 */
export function writeChapter(ports: DocumentPorts) {
  return (state: DocumentState, config: RunnableConfig): Promise<DocumentUpdate> =>
    new ChapterWriter(ports, state, config).write();
}

/** Files to carry verbatim, each in one code fence, and the version of the manuscript that they follow. */
interface Repair {
  files: string[];
  after: string | null;
}

/**
 * Returns the last resort after a failed validation, which passes with any content; null if the validation did not
 * fail, or concerns only chapters that are kept (X6): a person decides about them. Begins with the files of the chapter,
 * and continues with all files of the manuscript.
 */
function repairOf(state: DocumentState): Repair | null {
  if (state.validation_passed !== false) return null;
  const read = toWrite(state).filter((name) => state.files_read.includes(name));
  if (read.length === 0) return null;
  const files = read.filter((name) => !state.validated_files.includes(name));
  const isFirst = state.fix_attempts === 1 && files.length > 0;
  return isFirst ? { files, after: state.validated_md_path } : { files: read, after: null };
}

/** Returns the sources that are not kept (X6). */
const toWrite = ({ text_files, taken_over: taken }: DocumentState): string[] =>
  text_files.filter((name) => !taken?.kept.includes(name));

/** Returns the files of the next chapter: the first one, or several that are carried verbatim and so cannot make each other fail. */
function together(files: string[], { file_sizes }: DocumentState): string[] {
  let bytes = 0;
  const end = files.slice(0, TOGETHER.files).findIndex((name) => {
    bytes += file_sizes[name]?.bytes ?? Infinity;
    return canPlaceImages(name) || bytes > TOGETHER.bytes;
  });
  return files.slice(0, end < 0 ? TOGETHER.files : Math.max(end, 1));
}

/** Returns a checkpoint's label: the end of the file's path, with characters that any file system accepts. */
function labelFor(file: string): string {
  const words = file
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return words === '' ? 'chapter' : words.slice(-60).replace(/^_+/, '');
}

/** Does work on a file; returns false if the file cannot be read. */
async function isReadable(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

class ChapterWriter {
  private readonly repair: Repair | null;
  /** Version of the manuscript before the chapter, and its files. */
  private readonly after: string | null;
  private readonly kept: string[];
  private readonly images: string[];
  private readonly folders: Folders;
  /** Version with what is written of the chapter; null before. */
  private version: ManuscriptVersion | null = null;
  /** Whole files to append with what follows. */
  private waiting = '';
  private readonly written: string[] = [];

  constructor(
    private readonly ports: DocumentPorts,
    private readonly state: DocumentState,
    private readonly config: RunnableConfig,
  ) {
    const { validated_md_path, validated_files } = state;
    this.repair = repairOf(state);
    this.after = this.repair === null ? validated_md_path : this.repair.after;
    this.kept = this.after === null ? [] : validated_files;
    this.images = imagesOf(state);
    this.folders = new Folders(state.text_files);
  }

  async write(): Promise<DocumentUpdate> {
    const due = toWrite(this.state).filter((name) => !this.kept.includes(name));
    const next = dueChapters(this.state.taken_over)[0];
    let open = due.filter((name) => !this.repair?.files.includes(name) && (next?.due.includes(name) ?? true));
    await this.writeFiles(this.repair?.files ?? []);
    while (this.repair === null && this.written.length === 0 && open.length > 0) {
      const files = together(open, this.state);
      open = open.slice(files.length);
      await this.writeFiles(files);
    }
    const isComplete = due.length === 0 && this.state.text_files.length > 0 && this.state.taken_over === null;
    const isFailed = this.repair === null && this.state.validation_passed === false;
    if (open.length === 0 && !isComplete && !isFailed && next === undefined) await this.attachImages();
    await this.append(this.waiting);
    return this.version === null ? await this.finish() : this.closeChapter(this.version);
  }

  /** Writes the files; leaves out those that cannot be read. */
  private async writeFiles(files: string[]): Promise<void> {
    for (const file of files) {
      const before = [this.version, this.waiting] as const;
      if (await isReadable(() => this.writeFile(file))) this.written.push(file);
      else [this.version, this.waiting] = before;
    }
  }

  private async writeFile(file: string): Promise<void> {
    const asWritten = this.repair !== null;
    const source = new OpenSource(this.ports.inputs, file);
    const { headings, place } = this.folders.placeOf(file, this.written.at(-1) ?? this.kept.at(-1));
    const given = { file, asWritten, place, images: asWritten ? this.images : [] };
    const named: string[] = [];
    let writer: WriterState | undefined;
    let isBegun = false;
    for (let isEnd = false; !isEnd;) {
      this.config.signal?.throwIfAborted();
      await source.read();
      const { text, isRead: last } = source;
      const written = await this.ports.rules.write({ ...given, text, last, writer });
      isEnd = last && written.consumed === text.length;
      named.push(...written.images);
      // Images that the code fence does not show follow it.
      const images = isEnd ? named.map((name) => `\n${imageLine(name)}\n`).join('') : '';
      const markdown = written.markdown + images;
      if (isBegun) await this.append(markdown);
      else if (isEnd) this.waiting = joinedText(this.waiting, headings + markdown);
      else if (markdown !== '') await this.append(joinedText(this.waiting, headings + markdown));
      isBegun ||= markdown !== '';
      if (written.consumed > 0) writer = written.state;
      source.use(written.consumed);
      this.say(`${file}, ${source.share} %.${written.isTooHard ? TOO_HARD : ''}`);
    }
  }

  /**
   * Adds the images that no text places under their own heading, or under the document's title if it has no text. They
   * belong to the last chapter, because the next step exports a manuscript that was validated with every source (D21).
   */
  private async attachImages(): Promise<void> {
    const lastChapter = this.state.document_outline.findLast(({ level }) => level === 1)?.title;
    const { text_files } = this.state;
    const areAll = text_files.length === 0;
    const isDone = lastChapter !== undefined && (areAll || lastChapter === ATTACHMENTS);
    if (this.written.length === 0 && isDone) return;
    const title = (areAll ? this.ports.settings.title : null) ?? ATTACHMENTS;
    const placed = new Set<string>();
    for (const file of text_files.filter(canPlaceImages))
      await isReadable(() => this.addPlaced(file, placed));
    const lines = this.images.filter((name) => !placed.has(name)).map(imageLine);
    if (lines.length > 0)
      this.waiting = joinedText(this.waiting, `# ${escapeInline(title)}\n\n${lines.join('\n\n')}\n`);
  }

  /** Adds the images that a source places, read page by page. */
  private async addPlaced(file: string, placed: Set<string>): Promise<void> {
    for (let cursor: number | null = 0; cursor !== null && placed.size < this.images.length;) {
      const page: InputPage = await this.ports.inputs.readPage(file, cursor);
      for (const name of await this.ports.rules.placedImages(file, page.text, this.images)) placed.add(name);
      cursor = page.next_cursor;
    }
  }

  private async append(markdown: string): Promise<void> {
    this.waiting = '';
    if (markdown === '') return;
    this.version = await this.ports.manuscripts.append(this.version?.pointer ?? this.after, markdown);
  }

  private say(sentence: string): void {
    this.ports.say(`Chapter ${this.state.current_chapter}: ${sentence}\n`);
  }

  /** Marks the chapter as complete; it is validated next. */
  private async closeChapter({ pointer, outline }: ManuscriptVersion): Promise<DocumentUpdate> {
    const step = stepKey(this.config);
    if (this.repair !== null) {
      const checkpoint_id = this.after === null ? EMPTY_MANUSCRIPT : this.state.last_checkpoint_id;
      this.ports.emit({ type: 'rollback_performed', data: { checkpoint_id }, effectKey: `${step}/rollback` });
    }
    const file = this.written.at(-1);
    const label = file === undefined ? ATTACHMENTS : labelFor(file);
    await saveCheckpoint(this.ports, { label, manuscript: pointer, validated: false, effectKey: step });
    // A repair of the complete manuscript is validated against every source again.
    const generation_complete = this.repair !== null && this.state.generation_complete;
    const taken = backToProven(this.state.taken_over);
    const closed = {
      temp_md_path: pointer,
      document_outline: outline,
      taken_over: this.after === null && taken ? { ...taken, appended: 0, proven: 0 } : taken,
    };
    const kept = generation_complete
      ? await takeOver(this.ports, { ...this.state, ...closed }, { isProven: false })
      : {};
    return {
      ...this.processed(),
      ...closed,
      files_read: { only: [...this.kept, ...this.written] },
      chapter_checkpoint_pending: true,
      generation_complete,
      ...kept,
    };
  }

  private async finish(): Promise<DocumentUpdate> {
    const kept = await takeOver(this.ports, this.state, { isProven: false });
    return { ...this.processed(), ...kept, generation_complete: true };
  }

  /** A run that an older release or a model began has messages, whose tool calls are not continued. */
  private processed(): DocumentUpdate {
    const messages = this.state.messages.length > 0 ? [new RemoveMessage({ id: REMOVE_ALL_MESSAGES })] : [];
    return { messages, status: 'processing' };
  }
}

/** Joins whole files as an append does, each with a line end. */
const joinedText = (before: string, text: string): string =>
  `${before}${endsBlank(before) ? '' : '\n'}${text.endsWith('\n') ? text : `${text}\n`}`;

/** Pages read at once: normally, and at most if a line or block is longer than what was read. */
const PAGES = { ahead: 8, most: 64 };

/** A source while it is written; `text` is what was read and is not written yet. */
class OpenSource {
  text = '';
  /** Share of the file that was read, in percent. */
  share = 0;
  private cursor: number | null = 0;
  /** Pages to read next. The first page alone decides how the file is written. */
  private ahead = 1;
  /** Pages read since text was last used. */
  private waiting = 0;

  constructor(
    private readonly inputs: InputPort,
    private readonly file: string,
  ) {}

  /** Whether the file is read to its end. */
  get isRead(): boolean {
    return this.cursor === null;
  }

  /** @throws ToolError if the file is missing or not text */
  async read(): Promise<void> {
    for (let count = this.ahead; count > 0 && this.cursor !== null; count--) {
      const { text, end, size, next_cursor } = await this.inputs.readPage(this.file, this.cursor);
      this.text += this.cursor === 0 ? withoutByteOrderMark(text) : text;
      this.share = size === 0 ? 100 : Math.floor((100 * end) / size);
      this.cursor = next_cursor;
      this.waiting += 1;
    }
  }

  /** Removes the written characters. Without any, about twice as much text is read. */
  use(characters: number): void {
    this.text = this.text.slice(characters);
    this.ahead = characters > 0 ? PAGES.ahead : Math.min(this.waiting, PAGES.most);
    if (characters > 0) this.waiting = 0;
  }
}
