import { Center, Loader } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';

export function PageLoader() {
  const { t } = useTranslation();
  return (
    <Center py="xl" role="status" aria-label={t('shell.loading')}>
      <Loader />
    </Center>
  );
}
