import { buildStructure } from '#office/structure/build.js';
import type { Block, Structure, ListBlock, Note, TableBlock } from '#contracts/structure.js';
import {
  memo,
  startTransition,
  useEffect,
  useId,
  useMemo,
  useState,
  type AriaAttributes,
  type ReactNode,
  createElement,
} from 'react';
import { useTranslation } from '../../i18n/i18n';
import { CopyLink, type Cited } from '../cited-source';
import './reading.css';
import { Inlines } from './inlines';

/** Number of blocks that are added at once, so that a long text does not block the page. */
const BATCH = 60;

interface RenderedTextProps {
  /** Name of the text's region; null for a part of a text, which has no region of its own. */
  label: string | null;
  markdown: string;
  /** Session with the pictures of the text; without it, pictures are named only. */
  sessionId?: string;
  /** Sources by label of the footnote that cites them; their notes link to the stored texts. */
  sources?: ReadonlyMap<string, Cited>;
  /** Shown if the text cannot be rendered. */
  fallback: ReactNode;
}

/**
 * Renders Markdown as the Word file will show it: headings, tables, code, figures and footnotes. The whole text
 * is part of the page, so that searching, copying and printing reach it.
 */
export default function RenderedText({ label, markdown, sessionId, sources, fallback }: RenderedTextProps) {
  const structure = useMemo(() => structureOf(markdown), [markdown]);
  if (!structure) return fallback;
  return (
    <StructureView
      key={markdown.length}
      label={label}
      structure={structure}
      sessionId={sessionId}
      sources={sources}
    />
  );
}

interface StructureViewProps {
  label: string | null;
  structure: Structure;
  sessionId: string | undefined;
  sources?: ReadonlyMap<string, Cited> | undefined;
}

/** Renders a text whose structure is known. */
export function StructureView({ label, structure, sessionId, sources }: StructureViewProps) {
  const { t } = useTranslation();
  const idPrefix = `${useId()}-`;
  const batches = useMemo(() => inBatches(structure.blocks), [structure]);
  const [shown, setShown] = useState(1);
  useEffect(() => {
    if (shown < batches.length) startTransition(() => setShown(shown + 1));
  }, [shown, batches.length]);
  const notes = useMemo(() => new Map(structure.notes.map((note) => [note.id, note])), [structure]);
  const levels = useMemo(() => levelsOf(structure), [structure]);
  const context = useMemo(
    () => ({ idPrefix, notes, levels, sessionId }),
    [idPrefix, notes, levels, sessionId],
  );
  return (
    <Region
      className={label === null ? 'reading reading-part' : 'reading'}
      label={label}
      aria-busy={shown < batches.length}
    >
      {batches.slice(0, shown).map((blocks, index) => (
        <Batch key={index} blocks={blocks} {...context} />
      ))}
      {shown >= batches.length && structure.notes.length > 0 && (
        <Region label={label && t('reading.notesOf', { label })} className="reading-notes">
          <ol>
            {structure.notes.map((note) => (
              <li key={note.id} id={`${idPrefix}note-${note.id}`} value={note.number}>
                <Blocks blocks={note.blocks} {...context} />
                <SourceLink source={sources?.get(note.id)} />
                <a
                  href={`#${idPrefix}ref-${note.id}`}
                  aria-label={t('reading.back', { number: note.number })}
                >
                  ↩
                </a>
              </li>
            ))}
          </ol>
        </Region>
      )}
    </Region>
  );
}

/** Links to the stored text of a source; shows nothing if there is none. */
function SourceLink({ source }: { source: Cited | undefined }) {
  const { t } = useTranslation();
  if (!source?.collection_id || !source.source_id) return null;
  return (
    <>
      {' '}
      <CopyLink source={{ ...source, title: t('reading.openSource') }} />{' '}
    </>
  );
}

interface RegionProps extends AriaAttributes {
  label: string | null;
  className: string;
  children: ReactNode;
}

/** A region of the page, or a plain part of it without a label. */
function Region({ label, ...rest }: RegionProps) {
  return label === null ? <div {...rest} /> : <section aria-label={label} {...rest} />;
}

/** Blocks that are rendered once, when they are added. */
const Batch = memo((props: Parameters<typeof Blocks>[0]) => (
  <div className="reading-batch">
    <Blocks {...props} />
  </div>
));

/** Returns the structure of a text; null if it is nested too deeply. */
export function structureOf(markdown: string): Structure | null {
  try {
    return buildStructure(markdown);
  } catch {
    return null;
  }
}

function inBatches(blocks: readonly Block[]): Block[][] {
  const batches: Block[][] = [];
  for (let at = 0; at < blocks.length; at += BATCH) batches.push(blocks.slice(at, at + BATCH));
  return batches;
}

/** Returns the levels of the headings on the page: below the page's own, each at most one below the one before. */
function levelsOf({ headings }: Structure): ReadonlyMap<string, number> {
  let before = 1;
  return new Map(
    headings.map(({ id, level }) => {
      before = Math.min(level + 1, before + 1, 6);
      return [id, before];
    }),
  );
}

interface BlocksProps {
  blocks: readonly Block[];
  /** Prefix of the IDs of headings, figures and tables, so that they do not collide with other IDs of the page. */
  idPrefix: string;
  /** Footnotes by ID, for the titles of references. */
  notes: ReadonlyMap<string, Note>;
  /** Level of each heading on the page, by ID, without gaps. */
  levels: ReadonlyMap<string, number>;
  /** Session with the pictures of the text; without it, pictures are named only. */
  sessionId: string | undefined;
}

/** Renders the blocks of a document. */
function Blocks({ blocks, ...rest }: BlocksProps) {
  return blocks.map((block, index) => <BlockView key={index} block={block} {...rest} />);
}

type BlockProps = Omit<BlocksProps, 'blocks'>;

function BlockView({ block, ...rest }: BlockProps & { block: Block }): ReactNode {
  const { idPrefix, levels } = rest;
  const inlines = (content: Parameters<typeof Inlines>[0]['content']) => (
    <Inlines content={content} {...rest} />
  );
  switch (block.type) {
    case 'heading':
      return createElement(
        `h${levels.get(block.id) ?? 6}`,
        { id: idPrefix + block.id, className: `reading-h${block.level}`, ...linesOf(block) },
        inlines(block.content),
      );
    case 'paragraph':
      return (
        <p style={block.align && { textAlign: block.align }} {...linesOf(block)}>
          {inlines(block.content)}
        </p>
      );
    case 'code':
      return (
        <pre tabIndex={0} data-language={block.language ?? undefined} {...linesOf(block)}>
          <code>{block.text}</code>
        </pre>
      );
    case 'list':
      return <ListView list={block} {...rest} />;
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.blocks} {...rest} />
        </blockquote>
      );
    case 'callout':
      return (
        <div className="reading-callout" data-callout={block.kind}>
          <Blocks blocks={block.blocks} {...rest} />
        </div>
      );
    case 'table':
      return <TableView table={block} {...rest} />;
    case 'figure':
      return (
        <figure id={idPrefix + block.id} {...linesOf(block)}>
          {inlines([block.image])}
          <figcaption>
            {block.number}. {block.caption}
          </figcaption>
        </figure>
      );
    case 'math':
      return (
        <pre className="reading-math" tabIndex={0}>
          <code>{block.tex}</code>
        </pre>
      );
    case 'rule':
      return <hr />;
  }
}

/** Returns attributes with the lines of a block in the Markdown, by which pages link it with other texts. */
const linesOf = ({ line, end_line: end }: { line: number; end_line: number }) => ({
  'data-line': line,
  'data-end': end,
});

function ListView({ list, ...rest }: BlockProps & { list: ListBlock }) {
  const items = list.items.map(({ checked, blocks }, index) => (
    <li key={index} data-checked={checked ?? undefined}>
      {checked !== null && <span aria-hidden>{checked ? '☑ ' : '☐ '}</span>}
      <Blocks blocks={blocks} {...rest} />
    </li>
  ));
  return list.ordered ? <ol start={list.start ?? 1}>{items}</ol> : <ul>{items}</ul>;
}

function TableView({ table, ...rest }: BlockProps & { table: TableBlock }) {
  const row = ({ header, cells }: TableBlock['rows'][number], at: number) => (
    <tr key={at}>
      {cells.map((content, column) =>
        createElement(
          header ? 'th' : 'td',
          {
            key: column,
            style: { textAlign: table.align[column] ?? undefined },
            ...(header && { scope: 'col' }),
          },
          <Inlines content={content} {...rest} />,
        ),
      )}
    </tr>
  );
  const heads = table.rows.filter(({ header }) => header);
  return (
    <div
      className="reading-table"
      tabIndex={0}
      id={table.id === null ? undefined : rest.idPrefix + table.id}
      {...linesOf(table)}
    >
      <table>
        {table.caption && (
          <caption>
            {table.number}. <Inlines content={table.caption} {...rest} />
          </caption>
        )}
        {heads.length > 0 && <thead>{heads.map(row)}</thead>}
        <tbody>{table.rows.filter(({ header }) => !header).map(row)}</tbody>
      </table>
    </div>
  );
}
