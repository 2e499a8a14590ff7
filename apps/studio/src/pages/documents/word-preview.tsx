import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { renderAsync } from 'docx-preview';
import { unzipSync } from 'fflate';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { fetched } from '../../api/api-query';
import { PageLoader, ProblemAlert } from '../../ui/frames';

interface WordPreviewProps {
  url: string;
  /** Words of a paragraph to scroll to; empty for none. A new object scrolls again. */
  words: { text: string };
}

/** Shows the Word file as pages; a shadow tree isolates its styles. */
export default function WordPreview({ url, words }: WordPreviewProps) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const { data, error } = useQuery({
    queryKey: ['file', url],
    queryFn: async () => (await fetched(url)).arrayBuffer(),
    staleTime: Infinity,
  });
  const wanted = useRef(words);
  const isLong = data !== undefined && textLength(data) > MAX_TEXT;
  useEffect(() => {
    const host = frame.current;
    if (!data || isLong || !host) return;
    const fit = () => fitWidth(host);
    const sizes = new ResizeObserver(fit);
    void show(data, host).then(() => {
      sizes.observe(host);
      showParagraph(host, wanted.current);
    }, setFailure);
    return () => sizes.disconnect();
  }, [data, isLong]);
  useEffect(() => {
    wanted.current = words;
    showParagraph(frame.current, words);
  }, [words]);
  if (error ?? failure) return <ProblemAlert error={error ?? failure} />;
  if (isLong)
    return (
      <Text>
        {t('document.tooLong')}{' '}
        <Anchor href={url} download>
          {t('document.download', { format: 'DOCX' })}
        </Anchor>
      </Text>
    );
  return (
    <div className="no-print">
      {!data && <PageLoader />}
      <div
        ref={frame}
        className="scroll-frame word-preview"
        tabIndex={0}
        role="region"
        aria-label={t('document.word')}
        title={t('document.previewHint')}
      />
    </div>
  );
}

/** Characters by which a paragraph is found. */
const FOUND_BY = 60;

/** Scrolls to the last paragraph with the words; the table of contents has those of headings before. */
function showParagraph(host: HTMLElement | null, { text }: { text: string }): void {
  const wanted = text.trim().slice(0, FOUND_BY);
  const paragraphs = [...(host?.shadowRoot?.querySelectorAll('p') ?? [])];
  const found =
    wanted === '' ? undefined : paragraphs.findLast(({ textContent }) => textContent.includes(wanted));
  if (host && found)
    host.scrollBy({
      top: found.getBoundingClientRect().top - host.getBoundingClientRect().top - host.clientHeight / 3,
    });
}

/** Bytes of document text above which the page would freeze for seconds. */
const MAX_TEXT = 12_000_000;

/** Returns the size of the file's text part in bytes, without decompressing it. */
function textLength(data: ArrayBuffer): number {
  let size = 0;
  unzipSync(new Uint8Array(data), {
    filter: ({ name, originalSize }) => {
      if (name === TEXT_PART) size = originalSize;
      return false;
    },
  });
  return size;
}

/** Scales the pages down to the width of the frame. */
function fitWidth(host: HTMLElement): void {
  const pages = host.shadowRoot?.querySelector<HTMLElement>('.docx-wrapper');
  const page = pages?.querySelector<HTMLElement>('section');
  if (!pages || !page) return;
  const padding = 2 * PAGE_MARGIN;
  Object.assign(pages.style, { padding: `${PAGE_MARGIN}px`, background: 'none' });
  pages.style.zoom = String(
    Math.min(1, host.clientWidth / (parseFloat(page.style.width) * PX_PER_PT + padding)),
  );
}

/** Space around the pages, in pixels. */
const PAGE_MARGIN = 16;
const PX_PER_PT = 96 / 72;

/**
 * Renders a file in a detached document and then adopts its styles, because the page's policy allows no
 * inline style elements.
 */
async function show(data: ArrayBuffer, host: HTMLElement): Promise<void> {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const aside = document.implementation.createHTMLDocument('');
  const [body, styles] = [aside.createElement('div'), aside.createElement('div')];
  await renderAsync(data, body, styles, { inWrapper: true, useBase64URL: true });
  root.adoptedStyleSheets = [...styles.querySelectorAll('style')].map((style) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style.textContent.replaceAll(WRONG_AT_LEAST, 'max(1.15em, $1)'));
    return sheet;
  });
  for (const { style } of body.querySelectorAll<HTMLElement>('[style*="line-height"]'))
    style.lineHeight = style.lineHeight.replaceAll(WRONG_AT_LEAST, 'max(1.15em, $1)');
  // Only Word counts pages: the file contains "1" for each number.
  for (const line of body.querySelectorAll(':is(header, footer) p'))
    if (PAGE_NUMBER.test(line.textContent)) line.remove();
  for (const active of body.querySelectorAll('script, iframe, object, embed')) active.remove();
  for (const link of body.querySelectorAll('a'))
    if (!link.getAttribute('href')?.startsWith('#')) link.removeAttribute('href');
  const pictures = [...body.querySelectorAll('img')];
  const texts = alternativeTexts(data);
  for (const [at, picture] of pictures.entries())
    picture.alt = (texts.length === pictures.length && texts[at]) || '';
  root.replaceChildren(document.adoptNode(body));
}

/** A page number, or "1 / 1". */
const PAGE_NUMBER = /^\s*\d+( \/ \d+)?\s*$/;

/** Line height for which the preview library adds the minimum to the height of the text instead of taking the larger. */
const WRONG_AT_LEAST = /calc\(100% \+ ([\d.]+pt)\)/g;

const TEXT_PART = 'word/document.xml';

/**
 * Returns the alternative texts of the file's pictures, in order, for screen readers; the preview library
 * omits them.
 */
function alternativeTexts(data: ArrayBuffer): string[] {
  const part = unzipSync(new Uint8Array(data), { filter: ({ name }) => name === TEXT_PART })[TEXT_PART];
  const xml = new DOMParser().parseFromString(new TextDecoder().decode(part), 'application/xml');
  return [...xml.getElementsByTagName('wp:docPr')].map((picture) => picture.getAttribute('descr') ?? '');
}
