import { DocumentText } from '../document-text.js';
import { StyledText } from '../styled-text.js';
import type { OdfTable } from './table.js';

/** Part of an OpenDocument file's text during reading: the body, a note, text box, cell, header or comment. */
export class OdfStory {
  inline = new StyledText();
  /** Text boxes of the current paragraph, which follow it. */
  readonly boxes: DocumentText[] = [];
  /** Words that the document does not show, with the reason. */
  readonly omitted: [what: string, words: string][] = [];
  /** All words without Markdown, for a comment about the story. */
  plain = '';
  /** Depth of open paragraphs. Text outside of paragraphs is ignored. */
  paragraphs = 0;
  /** Number of notes so far, for the outermost text. */
  notes = 0;
  /** Comments about omitted words of cells, which follow the table. */
  readonly marks: string[] = [];
  table: OdfTable | null = null;

  constructor(readonly text = new DocumentText()) {}

  /** Appends the text boxes and comments of the preceding paragraph. */
  flush(): void {
    for (const box of this.boxes.splice(0)) this.text.append(box);
    for (const [what, words] of this.omitted.splice(0)) this.text.leaveOut(what, words);
    if (this.table === null) for (const mark of this.marks.splice(0)) this.text.lines([mark]);
  }
}
