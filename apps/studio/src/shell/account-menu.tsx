import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { sessionQuery, signOut } from '../api/session';
import { changeLanguage, languages, type Language } from '../i18n/i18n';

const SCHEMES = ['light', 'dark', 'auto'] as const;

/** Who is signed in, how the pages look and speak, and the way out. */
export function AccountMenu() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { data: session } = useQuery(sessionQuery);
  const leave = async () => {
    await signOut();
    await navigate({ to: '/sign-in' });
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="subtle" size="compact-md">
          {session?.tenant_name ?? t('account.menu')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{session?.api_key_name}</Menu.Label>
        <Menu.Label>{t('account.language')}</Menu.Label>
        {(Object.keys(languages) as Language[]).map((language) => (
          <Menu.Item key={language} lang={language} onClick={() => void changeLanguage(language)}>
            {languages[language]}
          </Menu.Item>
        ))}
        <Menu.Label>{t('account.colours')}</Menu.Label>
        {SCHEMES.map((scheme) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={colorScheme === scheme}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`account.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void leave()}>{t('account.signOut')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
