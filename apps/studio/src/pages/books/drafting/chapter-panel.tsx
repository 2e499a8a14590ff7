import { Bullets } from '../../../ui/bullets';
import { Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ComponentProps } from 'react';
import { useTranslation } from '../../../i18n/i18n';
import { startChapter, type Book } from '../../../api/books';
import { chapterQuery, releaseParagraphs, setStatus, type ChapterText } from '../../../api/chapters';
import type { CommentedText } from '../../../api/comments';
import { runQuery } from '../../../api/runs';
import { useMay } from '../../../api/session';
import { NamedSourceFields, NO_SOURCES } from '../../../ui/named-sources';
import { NeedsModel, useHasModel } from '../../../ui/needs-model';
import { TextViews } from '../../../ui/reading/text-views';
import { PageTabs } from '../../../ui/page-tabs';
import { ChapterEditor } from './chapter-editor';
import { Versions } from './versions';
import { formatNumber } from '../../../ui/format';
import { SourceConflicts } from '../../../ui/source-conflicts';
import type { Schemas } from '../../../api/api-query';
import { CitedSource, type Cited } from '../../../ui/cited-source';
import { Hint, Section, StateBadge, useReady } from '../../../ui/frames';
import { ListTable } from '../../../ui/list-table';
import { textProps, ActionButton } from '../../../ui/actions';
import { InsertComments } from '../../../ui/answer-bar';

interface ChapterPanelProps {
  chapterId: string;
  book: Book;
  /** Whether a run of the book is active. */
  isBusy: boolean;
}

/** Shows one chapter: its text, facts and versions, and in the margin what can be done with it and its review. */
export function ChapterPanel({ chapterId, book, isBusy }: ChapterPanelProps) {
  const { t } = useTranslation();
  const [hadDraft] = useState(() => hasDraft(chapterId));
  const [isEdited, setEdited] = useState(hadDraft);
  const [chapter, instead] = useReady(chapterQuery(chapterId));
  if (instead) return instead;
  const { citations, facts, version } = chapter;
  const counts: Record<string, number> = {
    versions: version,
    sources: citations.length,
    facts: facts.length,
  };
  const text = withNotes(chapter.content, citations);
  const parts = {
    text: (
      <TextViews
        label={chapter.title}
        markdown={text}
        sessionId={book.session_id}
        comments={commentedIn(book, chapterId)}
      />
    ),
    edit: <ChapterEditor key={version} chapter={chapter} onEdited={setEdited} />,
    versions: <Versions key={version} chapter={chapter} sessionId={book.session_id} />,
    sources: <Citations citations={citations} />,
    facts: <Facts facts={facts} />,
  };
  return (
    <>
      <Stack className="desk-text">
        <Title order={2} size="h3">
          {chapter.number}. {chapter.title}
        </Title>
        {chapter.version === 0 ? (
          <Text c="dimmed">{chapter.summary || t('drafting.notWritten')}</Text>
        ) : (
          <PageTabs
            initial={hadDraft ? 'edit' : 'text'}
            tabs={Object.entries(parts).map(([name, content]) => ({
              name,
              label: t(`drafting.${name}`, { count: counts[name] }),
              content,
            }))}
          />
        )}
      </Stack>
      <aside aria-label={t('drafting.margin')} className="desk-margin no-print">
        <Actions chapter={chapter} book={book} isBusy={isBusy} isEdited={isEdited} />
        {chapter.review && <ChapterReview review={chapter.review} citations={chapter.citations} />}
      </aside>
    </>
  );
}

const commentedIn = ({ session_id }: Book, chapter_id: string): CommentedText => ({
  ...{ session_id, of: 'chapter', chapter_id },
});

/** Returns whether this browser stores unsaved changes to a chapter, which are then shown first. */
const hasDraft = (chapterId: string): boolean =>
  Object.keys(localStorage).some((key) => key.startsWith(`scriptorium.chapter.${chapterId}`));

interface ActionsProps {
  chapter: ChapterText;
  book: Book;
  isBusy: boolean;
  /** Whether the text has unsaved changes, which would be left out. */
  isEdited: boolean;
}

function Actions({ chapter, book, isBusy, isEdited }: ActionsProps) {
  const { t } = useTranslation();
  const [feedback, setFeedback] = useState('');
  const [sources, setSources] = useState(NO_SOURCES);
  /** What was sent, and the run that writes by it. Both stay until the run has completed, because it may fail. */
  const [sent, setSent] = useState<{ runId: string; asked: string } | null>(null);
  const run = useQuery({ ...runQuery(sent?.runId ?? ''), enabled: sent !== null }).data;
  if (sent !== null && run?.status === 'completed') {
    setSent(null);
    if (feedback.trim() === sent.asked) setFeedback('');
    setSources(NO_SOURCES);
  }
  const isAccepted = chapter.status === 'accepted';
  const asked = feedback.trim();
  const write = async () => {
    const given = { ...(asked === '' ? {} : { feedback: asked }), sources };
    setSent({ runId: (await startChapter(book, chapter.id, given)).id, asked });
  };
  const rewriting = asked === '' ? 'drafting.rewrite' : 'drafting.revise';
  if (!useMay('write')) return null;
  return (
    <Stack gap="xs">
      {chapter.version > 0 && (
        <ActionButton
          className="desk-accept"
          variant={isAccepted ? 'default' : 'filled'}
          label={t(isAccepted ? 'drafting.reopen' : 'drafting.accept')}
          disabled={isEdited}
          act={() => setStatus(chapter.id, isAccepted ? 'written' : 'accepted')}
        />
      )}
      {isEdited && <Hint role="status">{t('drafting.saveFirst')}</Hint>}
      {!isAccepted && chapter.version > 0 && (
        <Feedback typed={feedback} of={commentedIn(book, chapter.id)} onChange={setFeedback} />
      )}
      {!isAccepted && <NamedSourceFields sources={sources} onChange={setSources} />}
      {!isAccepted && <KeptParagraphs chapter={chapter} />}
      {!isAccepted && (
        <ActionButton
          variant="default"
          label={t(chapter.version === 0 ? 'drafting.write' : rewriting)}
          disabled={isBusy || isEdited}
          act={write}
        />
      )}
    </Stack>
  );
}

/** Number of the paragraphs that runs leave as they are, and a button that releases them. */
function KeptParagraphs({ chapter }: Pick<ActionsProps, 'chapter'>) {
  const { t } = useTranslation();
  if (chapter.kept_paragraphs.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm">{t('drafting.kept', { count: chapter.kept_paragraphs.length })}</Text>
      <ActionButton
        variant="subtle"
        size="compact-sm"
        label={t('drafting.release')}
        act={() => releaseParagraphs(chapter)}
      />
    </Group>
  );
}

/** Field for what to change in the present text, which needs a model. */
function Feedback({ typed, of, onChange }: ComponentProps<typeof InsertComments>) {
  const { t } = useTranslation();
  if (!useHasModel()) return <NeedsModel text={t('needsModel.chapter')} />;
  return (
    <>
      <Textarea
        maxRows={6}
        maxLength={8_000}
        label={t('drafting.feedback')}
        {...textProps(typed, onChange)}
      />
      <InsertComments {...{ typed, of, onChange }} />
    </>
  );
}

interface ChapterReviewProps {
  review: NonNullable<ChapterText['review']>;
  citations: Citation[];
}

/** Shows the review of a chapter, whose score is in the list of chapters: length, open questions, and contradictions between its sources. */
function ChapterReview({ review, citations }: ChapterReviewProps) {
  const { t } = useTranslation();
  const active = review.findings.filter(({ overruled }) => !overruled);
  const sources = new Map(citations.map((citation) => [citation.label, citedOf(citation)]));
  const [words, minimum] = [review.words, review.minimum_words].map(formatNumber);
  const facts = [
    review.minimum_words === 0
      ? t('drafting.length', { count: review.words, words })
      : t('drafting.words', { words, minimum }),
    t('drafting.cited', { share: Math.round(review.citation_coverage * 100) }),
    t('statusCard.revisions', { count: review.revision }),
    t('drafting.findings', { count: active.length }),
  ];
  return (
    <Stack gap="sm">
      <Group gap="md">
        <Text size="sm">{facts.join(' · ')}</Text>
        {review.guardrails.map((guardrail) => (
          <StateBadge key={guardrail} state="failed" text={t(`guardrail.${guardrail}`)} />
        ))}
      </Group>
      <Open title={t('drafting.openQuestions')} items={review.open_questions} />
      <Open title={t('drafting.gaps')} items={review.gaps} />
      <Open title={t('drafting.newFacts')} items={review.new_facts} />
      <SourceConflicts conflicts={review.conflicts} sources={sources} />
    </Stack>
  );
}

const Open = ({ title, items }: { title: string; items: string[] }) =>
  items.length > 0 && <Section title={title} order={3} children={<Bullets items={items} />} />;

/** Lists a chapter's facts about people, places, terms, dates and quantities, with their wording. */
function Facts({ facts }: { facts: Schemas['Fact'][] }) {
  const { t } = useTranslation();
  if (facts.length === 0) return <Text c="dimmed">{t('facts.none')}</Text>;
  return (
    <ListTable
      items={facts}
      minWidth={420}
      columns={[
        { label: t('facts.kind'), cell: ({ kind }) => t(`factKind.${kind}`) },
        { label: t('facts.fact'), cell: ({ text }) => text },
        { label: t('facts.evidence'), cell: ({ evidence }) => evidence },
      ]}
    />
  );
}

type Citation = ChapterText['citations'][number];

/** Returns a citation of a chapter in the form of `CitedSource`. */
const citedOf = ({ source_title: title, ...citation }: Citation): Cited => ({ ...citation, title });

/**
 * Returns the text of a chapter with a footnote for each citation: the title of its source. In the stored
 * text, citations are only marked.
 */
function withNotes(content: string, citations: Citation[]): string {
  const notes = citations
    .filter(({ label }) => content.includes(`[^${label}]`) && !content.includes(`[^${label}]:`))
    .map(({ label, source_title: title }) => `[^${label}]: ${title.replaceAll(/[\\`*_[\]<>]/g, '\\$&')}`);
  return notes.length === 0 ? content : `${content}\n\n${notes.join('\n\n')}\n`;
}

/** Lists the passages that a chapter cites; each opens at its place in the stored source. */
function Citations({ citations }: { citations: Citation[] }) {
  const { t } = useTranslation();
  if (citations.length === 0) return <Text c="dimmed">{t('cited.none')}</Text>;
  return (
    <Stack gap="sm">
      {citations.map((citation) => (
        <div key={citation.label}>
          <CitedSource source={citedOf(citation)} />
          <div className="verbatim passage">{citation.text}</div>
        </div>
      ))}
    </Stack>
  );
}
