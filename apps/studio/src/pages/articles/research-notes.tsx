import { Badge, List, Stack, Title } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import type { ResearchDetails } from '../../api/articles';
import { SourceConflicts } from '../../ui/source-conflicts';

/** Shows the questions of the research, its open questions, and contradicting passages side by side (A6). */
export function ResearchNotes({ questions = [], conflicts = [], sources }: ResearchDetails) {
  const { t } = useTranslation();
  const titles = new Map(sources.map((source) => [source.label, source]));
  const open = questions.filter(({ status }) => status === 'open');
  return (
    <Stack gap="sm">
      {questions.length > 0 && (
        <>
          <Title order={3} size="h5">
            {t('research.questions', { count: questions.length, open: open.length })}
          </Title>
          <List size="sm" aria-label={t('research.questionList')}>
            {questions.map(({ id, perspective, question, status, labels }) => (
              <List.Item key={id}>
                {question}{' '}
                <Badge size="sm" variant="default">
                  {perspective}
                </Badge>{' '}
                {status === 'answered' ? labels.map((label) => `[${label}]`).join(' ') : t('research.open')}
              </List.Item>
            ))}
          </List>
        </>
      )}
      <SourceConflicts conflicts={conflicts} sources={titles} />
    </Stack>
  );
}
