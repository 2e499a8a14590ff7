import { Center, Loader, Stack, Text } from '@mantine/core';
import { useIsFetching, type Query } from '@tanstack/react-query';
import { useTranslation } from '../i18n/i18n';

/** Returns whether a query without data tries again after a failure. */
const isRetried = ({ state }: Query): boolean => state.data === undefined && state.fetchFailureCount > 0;

/** Shows that the page waits for the service, and says so if that does not respond. */
export function PageLoader() {
  const { t } = useTranslation();
  const isRetrying = useIsFetching({ predicate: isRetried }) > 0;
  return (
    <Center py="xl" role="status" aria-label={t('shell.loading')}>
      <Stack align="center">
        <Loader />
        {isRetrying && <Text size="sm">{t('problem.retrying')}</Text>}
      </Stack>
    </Center>
  );
}
