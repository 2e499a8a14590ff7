import { Button, Group, SimpleGrid, Stack, Tabs, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/i18n';
import { startChapter } from '../../../api/books';
import { chapterQuery, releaseParagraphs, setStatus, type ChapterText } from '../../../api/chapters';
import { isBlockingError } from '../../../api/query-client';
import { useMay } from '../../../api/session';
import { NamedSourceFields, NO_SOURCES } from '../../../ui/named-sources';
import { NeedsModel, useHasModel } from '../../../ui/needs-model';
import { PageLoader } from '../../../ui/page-loader';
import { ProblemAlert } from '../../../ui/problem-alert';
import { TextViews } from '../../../ui/reading/text-views';
import { useTab } from '../../../ui/use-tab';
import { ChapterEditor } from './chapter-editor';
import { ChapterReview } from './chapter-review';
import { Citations, withNotes } from './citations';
import { Facts } from './facts';
import { Versions } from './versions';

interface ChapterPanelProps {
  chapterId: string;
  bookId: string;
  /** Session of the book: its pictures are shown, and files are uploaded to it. */
  sessionId: string;
  /** Whether a run of the book is active. */
  isBusy: boolean;
}

/** Shows one chapter: its text with the review's findings, its facts and its versions. */
export function ChapterPanel({ chapterId, bookId, sessionId, isBusy }: ChapterPanelProps) {
  const { t } = useTranslation();
  const [hadDraft] = useState(() => hasDraft(chapterId));
  const [isEdited, setEdited] = useState(hadDraft);
  const [tab, setTab] = useTab(hadDraft ? 'edit' : 'text');
  const { data: chapter, error, refetch } = useQuery(chapterQuery(chapterId));
  if (isBlockingError(error, chapter)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!chapter) return <PageLoader />;
  return (
    <Stack>
      <Title order={2} size="h3">
        {chapter.number}. {chapter.title}
      </Title>
      <Actions chapter={chapter} bookId={bookId} sessionId={sessionId} isBusy={isBusy} isEdited={isEdited} />
      {chapter.review && <ChapterReview review={chapter.review} citations={chapter.citations} />}
      {chapter.version === 0 ? (
        <Text c="dimmed">{chapter.summary || t('drafting.notWritten')}</Text>
      ) : (
        <Tabs value={tab} onChange={setTab} keepMounted={false}>
          <Tabs.List mb="sm">
            <Tabs.Tab value="text">{t('drafting.text')}</Tabs.Tab>
            <Tabs.Tab value="edit">{t('drafting.edit')}</Tabs.Tab>
            <Tabs.Tab value="versions">{t('drafting.versions', { count: chapter.version })}</Tabs.Tab>
            <Tabs.Tab value="sources">{t('drafting.sources', { count: chapter.citations.length })}</Tabs.Tab>
            <Tabs.Tab value="facts">{t('drafting.facts', { count: chapter.facts.length })}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="text">
            <TextViews
              label={chapter.title}
              markdown={withNotes(chapter.content, chapter.citations)}
              sessionId={sessionId}
            />
          </Tabs.Panel>
          <Tabs.Panel value="edit">
            <ChapterEditor key={chapter.version} chapter={chapter} onEdited={setEdited} />
          </Tabs.Panel>
          <Tabs.Panel value="versions">
            <Versions key={chapter.version} chapter={chapter} sessionId={sessionId} />
          </Tabs.Panel>
          <Tabs.Panel value="sources">
            <Citations citations={chapter.citations} />
          </Tabs.Panel>
          <Tabs.Panel value="facts">
            <Facts facts={chapter.facts} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Stack>
  );
}

/** Returns whether this browser stores unsaved changes to a chapter, which are then shown first. */
const hasDraft = (chapterId: string): boolean =>
  Object.keys(localStorage).some((key) => key.startsWith(`scriptorium.chapter.${chapterId}`));

interface ActionsProps {
  chapter: ChapterText;
  bookId: string;
  /** Session of the book, to which files are uploaded. */
  sessionId: string;
  isBusy: boolean;
  /** Whether the text has unsaved changes, which would be left out. */
  isEdited: boolean;
}

function Actions({ chapter, bookId, sessionId, isBusy, isEdited }: ActionsProps) {
  const { t } = useTranslation();
  const [feedback, setFeedback] = useState('');
  const [sources, setSources] = useState(NO_SOURCES);
  /** Version that the sent feedback concerns. The feedback stays until there is a newer one, because its run may fail. */
  const [sentFor, setSentFor] = useState<number | null>(null);
  if (sentFor !== null && chapter.version > sentFor) {
    setSentFor(null);
    setFeedback('');
    setSources(NO_SOURCES);
  }
  const isAccepted = chapter.status === 'accepted';
  const asked = feedback.trim();
  const writing = useMutation({
    mutationFn: () =>
      startChapter(bookId, sessionId, chapter.id, {
        ...(asked === '' ? {} : { feedback: asked }),
        sources,
      }),
    onSuccess: () => setSentFor(chapter.version),
  });
  const accepting = useMutation({
    mutationFn: () => setStatus(chapter.id, isAccepted ? 'written' : 'accepted'),
  });
  const error = writing.error ?? accepting.error;
  if (!useMay('write')) return null;
  return (
    <Stack gap="xs">
      {!isAccepted && chapter.version > 0 && <Feedback feedback={feedback} onChange={setFeedback} />}
      {!isAccepted && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} className="fields-in-row">
          <NamedSourceFields sources={sources} onChange={setSources} />
        </SimpleGrid>
      )}
      {!isAccepted && <KeptParagraphs chapter={chapter} />}
      <Group gap="xs" justify="flex-end">
        {!isAccepted && (
          <Button
            variant="default"
            loading={writing.isPending}
            disabled={isBusy || isEdited}
            onClick={() => writing.mutate()}
          >
            {t(
              chapter.version === 0
                ? 'drafting.write'
                : asked === ''
                  ? 'drafting.rewrite'
                  : 'drafting.revise',
            )}
          </Button>
        )}
        {chapter.version > 0 && (
          <Button
            variant={isAccepted ? 'default' : 'filled'}
            loading={accepting.isPending}
            disabled={isEdited}
            onClick={() => accepting.mutate()}
          >
            {t(isAccepted ? 'drafting.reopen' : 'drafting.accept')}
          </Button>
        )}
      </Group>
      {isEdited && (
        <Text size="sm" ta="right" role="status">
          {t('drafting.saveFirst')}
        </Text>
      )}
      {error && <ProblemAlert error={error} />}
    </Stack>
  );
}

/** Number of the paragraphs that runs leave as they are, and a button that releases them. */
function KeptParagraphs({ chapter }: Pick<ActionsProps, 'chapter'>) {
  const { t } = useTranslation();
  const releasing = useMutation({ mutationFn: () => releaseParagraphs(chapter) });
  if (chapter.kept_paragraphs.length === 0) return null;
  return (
    <>
      <Group gap="xs">
        <Text size="sm">{t('drafting.kept', { count: chapter.kept_paragraphs.length })}</Text>
        <Button
          variant="subtle"
          size="compact-sm"
          loading={releasing.isPending}
          onClick={() => releasing.mutate()}
        >
          {t('drafting.release')}
        </Button>
      </Group>
      {releasing.error && <ProblemAlert error={releasing.error} />}
    </>
  );
}

interface FeedbackProps {
  feedback: string;
  onChange: (feedback: string) => void;
}

/** Field for what to change in the present text, which needs a model. */
function Feedback({ feedback, onChange }: FeedbackProps) {
  const { t } = useTranslation();
  if (!useHasModel()) return <NeedsModel text={t('needsModel.chapter')} />;
  return (
    <Textarea
      autosize
      maxRows={6}
      maxLength={8_000}
      label={t('drafting.feedback')}
      value={feedback}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
