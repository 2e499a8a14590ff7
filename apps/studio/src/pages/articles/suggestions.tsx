import { Button, Group, Paper, Stack } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import type { ArticleChange } from '../../api/articles';
import { BeforeAfter } from '../../ui/before-after';
import { useSourceView, ViewChoice } from '../../ui/reading/view-choice';

interface SuggestionsProps {
  /** Session with the pictures of the text. */
  sessionId: string;
  changes: ArticleChange[];
  /** Ids of the rejected changes. */
  rejected: ReadonlySet<string>;
  onChange: (rejected: ReadonlySet<string>) => void;
}

/** Lists the suggested changes, each accepted or rejected with one click. */
export function Suggestions({ sessionId, changes, rejected, onChange }: SuggestionsProps) {
  const { t } = useTranslation();
  const [isSource, setSource] = useSourceView();
  const toggle = (id: string) => {
    const next = new Set(rejected);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <Stack gap="xs">
      {changes.length > 0 && <ViewChoice isSource={isSource} onChange={setSource} />}
      {changes.map((change, index) => (
        <Paper
          key={change.id}
          withBorder
          p="xs"
          component="article"
          aria-label={t('revision.change', { number: index + 1 })}
        >
          <Group justify="space-between" align="flex-start" wrap="nowrap">
            <BeforeAfter
              before={change.before}
              after={change.after}
              isSource={isSource}
              sessionId={sessionId}
            />
            <Button
              size="xs"
              variant={rejected.has(change.id) ? 'default' : 'light'}
              aria-pressed={!rejected.has(change.id)}
              onClick={() => toggle(change.id)}
            >
              {t(rejected.has(change.id) ? 'shadow.left' : 'shadow.taken')}
            </Button>
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
