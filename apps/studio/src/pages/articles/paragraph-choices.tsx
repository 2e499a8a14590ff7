import { Group, Paper, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DraftDetails } from '../../api/articles';
import { useMay } from '../../api/session';

/** Rejected paragraphs by id, with the reasons. */
export type Rejections = ReadonlyMap<string, string>;

interface ParagraphChoicesProps {
  paragraphs: DraftDetails['paragraphs'];
  rejected: Rejections;
  onChange: (rejected: Rejections) => void;
}

/** Lets a person accept or reject each paragraph; accepted ones stay byte-identical (X8). */
export function ParagraphChoices({ paragraphs, rejected, onChange }: ParagraphChoicesProps) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const set = (id: string, reason: string | null) => {
    const next = new Map(rejected);
    if (reason === null) next.delete(id);
    else next.set(id, reason);
    onChange(next);
  };
  return (
    <Stack gap="xs">
      {paragraphs.map(({ id, begins }, index) => (
        <Paper key={id} withBorder p="xs" data-kind={rejected.has(id) ? 'removed' : undefined}>
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm">{begins}</Text>
            {mayWrite && (
              <SegmentedControl
                size="xs"
                aria-label={t('draft.paragraph', { number: index + 1 })}
                data={[
                  { value: 'accept', label: t('revision.accept') },
                  { value: 'reject', label: t('revision.reject') },
                ]}
                value={rejected.has(id) ? 'reject' : 'accept'}
                onChange={(value) => set(id, value === 'reject' ? '' : null)}
              />
            )}
          </Group>
          {rejected.has(id) && (
            <TextInput
              mt="xs"
              label={t('draft.reason')}
              value={rejected.get(id) ?? ''}
              onChange={(event) => set(id, event.currentTarget.value)}
            />
          )}
        </Paper>
      ))}
    </Stack>
  );
}
