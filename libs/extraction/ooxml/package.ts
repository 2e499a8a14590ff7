import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { posix } from 'node:path';
import { unpack, type ArchiveLimits } from '../archive.js';
import { ExtractionError } from '../errors.js';
import { readXml, xmlOf } from '../xml.js';

/** Parts that contain text; pictures are unpacked when they are needed. */
const TEXT_PART = /\.(?:xml|rels|x?html?|mht|mhtml|txt|rtf|do[ct][xm])$/i;
const UNUSED = /^(?:docProps|customXml|\w+\/theme)\//;

/** First bytes of encrypted files and of files in the formats before 2007. */
const OLD_FORMAT = [0xd0, 0xcf, 0x11, 0xe0];

const WORD = phrase('file_kind.word');
const EXCEL = phrase('file_kind.excel');
const POWERPOINT = phrase('file_kind.powerpoint');

/** Names of the kinds of files by the usual path of their main part. */
const KINDS: Record<string, Phrase> = {
  'word/document.xml': WORD,
  'xl/workbook.xml': EXCEL,
  'ppt/presentation.xml': POWERPOINT,
};
/** The same names by the first element of the main part. */
const KIND_OF_ROOT: Record<string, Phrase> = {
  document: WORD,
  workbook: EXCEL,
  presentation: POWERPOINT,
};
/** Number of characters within which the first element of a part begins. */
const HEAD = 4_096;

export interface Relationship {
  /** Last part of the type's URI, such as `header` or `aFChunk`. */
  type: string;
  /** Path of the part in the package, or the address of an external target. */
  target: string;
  isExternal: boolean;
}

/** The parts of an Office file (.docx, .xlsx, .pptx) and how they refer to each other. */
export class OfficePackage {
  /** Path of the part with the document's text. */
  readonly main: string;
  /** Relationships of that part by their IDs. */
  readonly relationships: ReadonlyMap<string, Relationship>;
  private readonly parts: Map<string, Uint8Array>;

  /**
   * @param usualMain path of the main part if the file names none
   * @param options other parts to unpack, such as pictures, and the limits of the archive
   * @throws ExtractionError for a damaged or oversized file, and for one without a main part
   */
  constructor(
    bytes: Uint8Array,
    fileName: string,
    usualMain: string,
    { also, limits }: { also?: RegExp; limits?: ArchiveLimits } = {},
  ) {
    if (OLD_FORMAT.every((byte, at) => bytes[at] === byte))
      throw new ExtractionError(phrase('unreadable.old_office', { name: fileName }));
    const isWanted = (name: string) =>
      (TEXT_PART.test(name) && !UNUSED.test(name)) || also?.test(name) === true;
    this.parts = unpack(bytes, isWanted, fileName, limits);
    const named = [...this.relationshipsOf('').values()].find(({ type }) => type === 'officeDocument');
    this.main = named?.target ?? usualMain;
    const main = this.parts.get(this.main);
    if (main === undefined)
      throw new ExtractionError(phrase('unreadable.not', { name: fileName, kind: KINDS[usualMain]! }));
    const root = /<(?:[\w.-]{1,40}:)?([A-Za-z]{1,40})[\s/>]/.exec(xmlOf(main.subarray(0, HEAD)))?.[1] ?? '';
    const kind = KIND_OF_ROOT[root];
    if (kind !== undefined && kind !== KINDS[usualMain])
      throw new ExtractionError(
        phrase('unreadable.not_but', { name: fileName, kind: KINDS[usualMain]!, other: kind }),
      );
    this.relationships = this.relationshipsOf(this.main);
  }

  bytes(path: string): Uint8Array | undefined {
    return this.parts.get(path);
  }

  text(path: string): string | null {
    const part = this.parts.get(path);
    return part ? xmlOf(part) : null;
  }

  /** Returns a part by its type, such as `styles`: as the main part refers to it, otherwise from its usual path. */
  related(type: string): string | null {
    const named = [...this.relationships.values()].find((each) => each.type === type);
    return this.text(named?.target ?? posix.join(posix.dirname(this.main), `${type}.xml`));
  }

  /** Returns the relationships of a part by their IDs; '' is the package itself. */
  relationshipsOf(path: string): Map<string, Relationship> {
    const folder = posix.dirname(path);
    const xml = this.text(
      path === '' ? '_rels/.rels' : posix.join(folder, '_rels', `${posix.basename(path)}.rels`),
    );
    const found = new Map<string, Relationship>();
    if (xml === null) return found;
    readXml(xml, {
      open: (name, { Id = '', Type = '', Target = '', TargetMode }) => {
        if (!/(?:^|:)Relationship$/.test(name)) return;
        const isExternal = TargetMode === 'External';
        const target = isExternal
          ? Target
          : posix.normalize(Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target));
        found.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target, isExternal });
      },
      close: () => undefined,
    });
    return found;
  }
}
