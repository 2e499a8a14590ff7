import { Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';
import type { SourceConflict } from '#contracts/research.js';
import { CopyLink, type Cited, SourceFacts } from './cited-source';

interface SourceConflictsProps {
  conflicts: SourceConflict[];
  /** The sources by their labels. */
  sources: ReadonlyMap<string, Cited>;
}

/** Shows passages that contradict each other side by side, each with a link to its place in the source. */
export function SourceConflicts({ conflicts, sources }: SourceConflictsProps) {
  const { t } = useTranslation();
  return conflicts.map(({ about, sides }, index) => (
    <section key={index} aria-label={t('research.conflict', { about })}>
      <Title order={3} size="h5" mb="xs">
        {t('research.conflict', { about })}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {sides.map(({ label, quote, span }) => {
          const source = sources.get(label);
          return (
            <Paper key={label} withBorder p="xs">
              <Text size="sm">“{quote}”</Text>
              <Text size="sm">
                [{label}] {source && <CopyLink source={{ ...source, span }} />}{' '}
                <SourceFacts source={source ?? {}} />
              </Text>
            </Paper>
          );
        })}
      </SimpleGrid>
    </section>
  ));
}
