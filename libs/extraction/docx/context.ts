import type { Numbering } from '../numbering.js';
import type { PackageMedia } from '../ooxml/media.js';
import type { OfficePackage, Relationship } from '../ooxml/package.js';
import type { ParagraphStyles } from './styles.js';

/** What the parts of a Word file have in common. */
export interface WordContext {
  numbering: Numbering;
  styles: ParagraphStyles;
  media: PackageMedia;
  parts: OfficePackage;
  relationships: ReadonlyMap<string, Relationship>;
  /** Words of the comments by ID; readers remove those that they name. */
  comments: Map<string, string>;
  /** Labels of the notes that the text refers to, by kind and ID; readers add to it. */
  noteLabels: Map<string, string>;
}
