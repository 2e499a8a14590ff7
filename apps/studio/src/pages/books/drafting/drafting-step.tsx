import { Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate, useSearch, useParams } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/i18n';
import { useBookRun, startBookRun, type Book } from '../../../api/books';
import { chaptersOf, type Chapter } from '../../../api/chapters';
import { useMay } from '../../../api/session';
import { EmptyState, useReady, StateBadge } from '../../../ui/frames';
import { ChapterPanel } from './chapter-panel';
import { RouteNavLink } from '../../../ui/route-nav-link';
import './desk.css';
import { ActionButton } from '../../../ui/actions';

/** The desk of a book: chapters with state and score, the text of the current one, and its margin (B22). */
export default function DraftingStep({ book }: { book: Book }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayWrite = useMay('write');
  const { chapter: chosen } = useSearch({ from: '/shell/books/$projectId/$step' });
  const [chapters, instead] = useReady(chaptersOf(book.id));
  const { isBusy } = useBookRun(book.session_id);
  if (instead) return instead;
  const current = chapters.find(({ id }) => id === chosen) ?? chapters[0];
  if (!current)
    return (
      <EmptyState title={t('drafting.empty')} text={t('drafting.emptyText')}>
        <Button onClick={() => void navigate({ to: `/books/${book.id}/outline` })}>
          {t('drafting.toOutline')}
        </Button>
      </EmptyState>
    );
  const isAccepted = chapters.every(({ status }) => status === 'accepted');
  const missing = chapters.filter(({ version }) => version === 0).length;
  return (
    <Stack>
      {mayWrite && (
        <Group justify="flex-end">
          {missing > 0 && (
            <ActionButton
              label={t('drafting.writeAll', { count: missing })}
              disabled={isBusy}
              act={() => startBookRun(book.id, 'book')}
            />
          )}
          {missing === 0 && (
            <Button
              variant={isAccepted ? 'filled' : 'default'}
              onClick={() => void navigate({ to: `/books/${book.id}/export` })}
            >
              {t('drafting.next')}
            </Button>
          )}
        </Group>
      )}
      <div className="desk">
        <ChapterList chapters={chapters} current={current.id} />
        <ChapterPanel key={current.id} chapterId={current.id} book={book} isBusy={isBusy} />
      </div>
    </Stack>
  );
}

/** @param current ID of the current chapter */
function ChapterList({ chapters, current }: { chapters: Chapter[]; current: string }) {
  const { t } = useTranslation();
  const { projectId } = useParams({ from: '/shell/books/$projectId/$step' });
  return (
    <nav aria-label={t('outline.chapters')} className="desk-chapters">
      {chapters.map((chapter) => (
        <RouteNavLink
          key={chapter.id}
          to="/books/$projectId/$step"
          params={{ projectId, step: 'drafting' }}
          search={{ chapter: chapter.id }}
          active={chapter.id === current}
          aria-current={chapter.id === current ? 'true' : undefined}
          label={`${chapter.number}. ${chapter.title}`}
          description={
            <Group gap="xs" component="span" c="var(--mantine-color-text)">
              <StateBadge size="xs" state={chapter.status} text={t(`chapterStatus.${chapter.status}`)} />
              {chapter.score !== null && (
                <Text component="span" size="xs">
                  {t('drafting.score', { score: chapter.score })}
                </Text>
              )}
            </Group>
          }
        />
      ))}
    </nav>
  );
}
