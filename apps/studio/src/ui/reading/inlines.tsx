import type { ImageInline, Inline, Mark, Note } from '#contracts/structure.js';
import { createContext, createElement, Fragment, useContext, useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { plainText } from '#office/structure/text.js';
import { ChangedWords } from '../proposals/changed-words';
import type { Piece } from '../proposals/pieces';

export interface InlinesProps {
  content: readonly Inline[];
  /** Prefix of all IDs of the text, so that they do not collide with other IDs of the page. */
  idPrefix: string;
  /** Footnotes by ID. */
  notes: ReadonlyMap<string, Note>;
  /** Session with the pictures of the text; without it, pictures are named only. */
  sessionId: string | undefined;
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

/** Address of a cited source in the service's knowledge, as research notes it. */
const SOURCE = /<\/api\/knowledge\/collections\/(\w{1,60})\/sources\/(\w{1,60})>/;

/** Words of a search, which texts mark. */
export const FoundWords = createContext<readonly string[]>([]);

/** Letters that a word and a searched word have in common at least, for one to be a form of the other. */
const MIN_COMMON = 3;

/** Marks the words of a search and their longer and shorter forms. */
function withFound(text: string, found: readonly string[], language: string): ReactNode {
  const isForm = (long: string, short: string) => short.length >= MIN_COMMON && long.startsWith(short);
  const isFound = (word: string) =>
    found.some((sought) => sought === word || isForm(word, sought) || isForm(sought, word));
  const words = [...new Intl.Segmenter(language, { granularity: 'word' }).segment(text)];
  return words.map(({ segment, index, isWordLike }) =>
    isWordLike && isFound(segment.toLocaleLowerCase(language)) ? <mark key={index}>{segment}</mark> : segment,
  );
}

/** Shows text; the addresses of cited sources become links to their pages. */
function PlainText({ text }: { text: string }): ReactNode {
  const { t, language } = useTranslation();
  const found = useContext(FoundWords);
  if (found.length > 0) return withCitations(text, (part) => withFound(part, found, language));
  const [before, collection, source, ...rest] = text.split(SOURCE);
  if (collection === undefined || source === undefined) return withCitations(text);
  return (
    <>
      {withCitations(before!)}
      <a href={`/knowledge/${collection}/sources/${source}`}>{t('reading.openSource')}</a>
      {withCitations(rest.join(''))}
    </>
  );
}

/** Raises the labels of citations: `[^s1]` becomes s1. */
const withCitations = (text: string, show: (part: string) => ReactNode = String): ReactNode =>
  text.split(CITATION).map((part, index, parts) => {
    if (index % 2 === 0) return <Fragment key={index}>{show(part)}</Fragment>;
    const isNext = index > 1 && parts[index - 1] === '';
    return <sup key={index}>{`${isNext ? ', ' : ''}${part.replace(/[[\]^]/g, '')}`}</sup>;
  });

type InlineProps = Omit<InlinesProps, 'content'> & { inline: Inline };

function InlineView({ inline, ...rest }: InlineProps): ReactNode {
  const { idPrefix, notes } = rest;
  switch (inline.type) {
    case 'text':
      return (
        <ChangedWords change={'change' in inline ? (inline.change as Piece['change']) : null}>
          {(inline.marks ?? []).reduce<ReactNode>(
            (text, mark) => createElement(TAGS[mark], null, text),
            inline.marks?.includes('code') ? inline.value : <PlainText text={inline.value} />,
          )}
        </ChangedWords>
      );
    case 'break':
      return <br />;
    case 'link':
      return <LinkView link={inline} {...rest} />;
    case 'image':
      return <Picture image={inline} sessionId={rest.sessionId} />;
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

/** Shows a picture of the session; else its name, such as for a picture on the web, which is not fetched. */
function Picture({ image, sessionId }: { image: ImageInline; sessionId: string | undefined }) {
  const { t } = useTranslation();
  const [isMissing, setMissing] = useState(false);
  const name = image.alt || image.ref;
  const source = sourceOf(image.ref, sessionId);
  if (source === null || isMissing)
    return <span className="reading-picture">{t('reading.picture', { alt: name })}</span>;
  return (
    <img className="reading-image" src={source} alt={name} loading="lazy" onError={() => setMissing(true)} />
  );
}

/** Returns the address of a picture in the session or in the text itself; null if it is on the web. */
function sourceOf(ref: string, sessionId: string | undefined): string | null {
  if (ref.startsWith('data:image/')) return ref;
  if (sessionId === undefined || OPENED.test(ref)) return null;
  return `/api/sessions/${sessionId}/images/${encodeURIComponent(ref)}`;
}

/** Returns the paragraphs of a footnote as plain text. */
const noteText = ({ blocks }: Note): string =>
  blocks.flatMap((block) => ('content' in block ? [plainText(block.content)] : [])).join(' ');
