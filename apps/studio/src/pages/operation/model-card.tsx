import { Alert, Badge, Group, List, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import type { Model } from '../../api/model';
import { Moment } from '../../ui/moment';

/** Shows what is known about a model, and what follows from it. */
export function ModelCard({ model }: { model: Model }) {
  const { t, language } = useTranslation();
  const shown = (value: number | boolean | null) => {
    if (value === null) return t('model.unknown');
    if (typeof value === 'number') return value.toLocaleString(language);
    return t(value ? 'model.yes' : 'model.no');
  };
  return (
    <Paper withBorder p="md" component="article" aria-label={model.name}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="xs">
            <Title order={2} size="h4">
              {model.name}
            </Title>
            {model.uses.map((use) => (
              <Badge key={use} variant="default">
                {t(`model.use.${use}`)}
              </Badge>
            ))}
          </Group>
          <Text size="sm">
            {model.checked_at === null ? t('model.notChecked') : t('model.checked')}{' '}
            {model.checked_at !== null && <Moment at={model.checked_at} />}
          </Text>
        </Group>
        {model.check_failed !== null && (
          <Alert color="yellow" title={t('model.checkFailed')}>
            {model.check_failed}
          </Alert>
        )}
        <Table withRowBorders={false} layout="fixed">
          <Table.Tbody>
            {Object.entries(model.facts).map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{t(`model.fact.${name}`)}</Table.Th>
                <Table.Td>{shown(value)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {model.consequences.length > 0 && (
          <List size="sm" aria-label={t('model.consequences')}>
            {model.consequences.map(({ code, text }) => (
              <List.Item key={code}>{t(`model.consequence.${code}`, { defaultValue: text })}</List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Paper>
  );
}
