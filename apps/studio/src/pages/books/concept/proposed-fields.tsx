import { Button, Group, List, Paper, Text } from '@mantine/core';
import { useTranslation } from '../../../i18n/i18n';
import type { Profile } from '../../../api/books';
import { useMay } from '../../../api/session';
import type { Concept } from './use-concept';

/** Shows a model's proposals for the profile, until the author accepts or dismisses them (B17). */
export function ProposedFields({ concept }: { concept: Concept }) {
  const { t } = useTranslation();
  const mayWrite = useMay('write');
  const fields = Object.entries(concept.draft.proposed) as [keyof Profile, string | number][];
  if (fields.length === 0) return null;
  return (
    <Paper withBorder p="xs" role="group" aria-label={t('chat.proposed')}>
      <Text size="sm" fw={600}>
        {t('chat.proposed')}
      </Text>
      <List size="sm" mb="xs">
        {fields.map(([field, value]) => (
          <List.Item key={field}>
            {t(`profile.${field}`)}: {value}
          </List.Item>
        ))}
      </List>
      {mayWrite && (
        <Group gap="xs">
          <Button size="xs" onClick={() => concept.takeOver()}>
            {t('chat.takeOver')}
          </Button>
          <Button size="xs" variant="default" onClick={concept.turnDown}>
            {t('chat.turnDown')}
          </Button>
        </Group>
      )}
    </Paper>
  );
}
