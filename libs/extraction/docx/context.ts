import type { Numbering } from '../numbering.js';
import type { PackageMedia } from '../ooxml/media.js';
import type { OfficePackage, Relationship } from '../ooxml/package.js';
import type { BoundValues } from './bound-values.js';
import type { WordStyles } from './styles.js';

/** State that the readers of a Word file's parts share. */
export interface WordContext {
  numbering: Numbering;
  styles: WordStyles;
  media: PackageMedia;
  boundValues: BoundValues;
  parts: OfficePackage;
  relationships: ReadonlyMap<string, Relationship>;
  /** Words of the comments by ID. Readers remove the comments that they report. */
  comments: Map<string, string>;
  /** Labels of the notes that the text refers to, by kind and ID; readers add to it. */
  noteLabels: Map<string, string>;
}
