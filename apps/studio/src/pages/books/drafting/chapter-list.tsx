import { Badge, Group, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/i18n';
import type { Chapter } from '../../../api/chapters';
import { RouteNavLink } from '../../../ui/route-links';

const COLOURS = { planned: 'gray', written: 'blue', accepted: 'green' } as const;

interface ChapterListProps {
  chapters: Chapter[];
  /** Id of the current chapter. */
  current: string;
}

export function ChapterList({ chapters, current }: ChapterListProps) {
  const { t } = useTranslation();
  const { projectId } = useParams({ from: '/shell/books/$projectId/$step' });
  return (
    <nav aria-label={t('outline.chapters')}>
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
              <Badge component="span" size="xs" variant="dot" color={COLOURS[chapter.status]}>
                {t(`chapterStatus.${chapter.status}`)}
              </Badge>
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
