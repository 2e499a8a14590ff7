import type { Inline, Mark, Note } from '#office/structure/schema.js';
import { createElement, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { noteText } from './note-text';

export interface InlinesProps {
  content: readonly Inline[];
  /** Prefix of all IDs of the text, so that they do not collide with those of the page. */
  idPrefix: string;
  /** Footnotes by ID. */
  notes: ReadonlyMap<string, Note>;
}

const TAGS: Record<Mark, string> = {
  bold: 'strong',
  italic: 'em',
  strike: 's',
  code: 'code',
  underline: 'u',
  subscript: 'sub',
  superscript: 'sup',
  highlight: 'mark',
};

/** Renders inline content: marks, links, references to footnotes and pictures. */
export function Inlines({ content, ...rest }: InlinesProps): ReactNode {
  return content.map((inline, index) => <InlineView key={index} inline={inline} {...rest} />);
}

/** Citations of chapters and articles refer to passages, not to footnotes of the text. */
const CITATION = /(\[\^[\w, ^-]{1,100}\])/;

/** Raises the labels of citations: `[^s1]` becomes s1. */
const withCitations = (text: string): ReactNode =>
  text
    .split(CITATION)
    .map((part, index) => (index % 2 === 1 ? <sup key={index}>{part.replace(/[[\]^]/g, '')}</sup> : part));

type InlineProps = Omit<InlinesProps, 'content'> & { inline: Inline };

function InlineView({ inline, ...rest }: InlineProps): ReactNode {
  const { idPrefix, notes } = rest;
  switch (inline.type) {
    case 'text':
      return (inline.marks ?? []).reduce<ReactNode>(
        (text, mark) => createElement(TAGS[mark], null, text),
        inline.marks?.includes('code') ? inline.value : withCitations(inline.value),
      );
    case 'break':
      return <br />;
    case 'link':
      return <LinkView link={inline} {...rest} />;
    case 'image':
      return <Picture alt={inline.alt || inline.ref} />;
    case 'note_ref': {
      const note = notes.get(inline.id);
      if (!note) return null;
      return (
        <sup>
          <a
            id={`${idPrefix}ref-${inline.id}`}
            href={`#${idPrefix}note-${inline.id}`}
            title={noteText(note).slice(0, 300)}
          >
            {note.number}
          </a>
        </sup>
      );
    }
    case 'math':
      return <code className="reading-math">{inline.tex}</code>;
    case 'anchor':
      return <span id={idPrefix + inline.id} />;
  }
}

/** Addresses that may be opened; others, such as scripts and files of the sources, are shown as text. */
const OPENED = /^(?:https?|mailto):/i;

function LinkView({
  link,
  ...rest
}: Omit<InlineProps, 'inline'> & { link: Extract<Inline, { type: 'link' }> }) {
  const text = <Inlines content={link.content} {...rest} />;
  const title = link.title ?? undefined;
  if (link.anchor !== null)
    return (
      <a href={`#${rest.idPrefix}${link.anchor}`} title={title}>
        {text}
      </a>
    );
  if (!OPENED.test(link.url)) return <span title={link.url}>{text}</span>;
  return (
    <a href={link.url} title={title ?? link.url} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

/** Shows a placeholder for a picture, which only the Word file contains. */
function Picture({ alt }: { alt: string }) {
  const { t } = useTranslation();
  return <span className="reading-picture">{t('reading.picture', { alt })}</span>;
}
