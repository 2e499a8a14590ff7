import type { Block, ListBlock, Note, TableBlock } from '#contracts/structure.js';
import { createElement, type ReactNode } from 'react';
import { Inlines } from './inlines';

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
export function Blocks({ blocks, ...rest }: BlocksProps) {
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
        { id: idPrefix + block.id, className: `reading-h${block.level}` },
        inlines(block.content),
      );
    case 'paragraph':
      return <p style={block.align && { textAlign: block.align }}>{inlines(block.content)}</p>;
    case 'code':
      return (
        <pre tabIndex={0} data-language={block.language ?? undefined}>
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
        <figure id={idPrefix + block.id}>
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
    <div className="reading-table" tabIndex={0} id={table.id === null ? undefined : rest.idPrefix + table.id}>
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
