/** Failures of models in Polish. */
export const modelFailures = {
  'model_failure.malformed_tool_calls':
    'Model przysłał z rzędu {times} odpowiedzi, które były puste, ucięte albo zawierały błędne wywołania narzędzi.',
  'model_failure.model_answer_cut':
    'Model dwa razy uciął odpowiedź na „{operation}” na swoim limicie długości. Zwiększ limit modelu lub budżetu albo zlecaj mniej naraz.',
  'model_failure.model_answer_too_long': 'Model nie kończy swojej odpowiedzi.',
  'model_failure.model_answer_unusable':
    'Odpowiedzi modelu na „{operation}” dwa razy nie nadawały się do użycia: {reason}',
  'model_failure.model_answer_unusable.plan':
    'Planu modelu nie da się wykonać, także po {max} poprawkach: {problems}',
  'model_failure.model_answer_unusable.schema': 'Model dwa razy nie dał odpowiedzi zgodnej ze schematem.',
  'model_failure.model_not_found':
    'Dostawca nie zna takiego modelu albo adresu (OPENAI_MODEL, OPENAI_BASE_URL).',
  'model_failure.model_not_found.listed': '{error} Udostępnia: {names}.',
  'model_failure.model_not_found.web_page':
    'Dostawca modelu odpowiedział stroną internetową. Sprawdź bazowy adres URL, który zwykle kończy się na „/v1”.',
  'model_failure.model_price_unknown':
    'Obowiązuje budżet kosztów, ale model nie ma ceny. Podaj ją w ustawieniach punktu końcowego modelu albo w MODEL_PRICES procesu agent-runner.',
  'model_failure.model_prompt_too_long': 'Polecenie jest dłuższe, niż przyjmuje model.',
  'model_failure.model_quota_exceeded': 'Limit u dostawcy modelu został wykorzystany.',
  'model_failure.model_rate_limited': 'Dostawca modelu ogranicza częstość wywołań.',
  'model_failure.model_refused': 'Model lub filtr treści jego dostawcy odmówił odpowiedzi.',
  'model_failure.model_refused.words': 'Model lub filtr treści jego dostawcy odmówił odpowiedzi: {words}',
  'model_failure.model_rejected': 'Dostawca modelu odrzucił wywołanie (stan {status}): {words}',
  'model_failure.model_rejected.dimensions':
    'Serwer embeddingów zwrócił wektory o różnych wymiarach albo żadnych.',
  'model_failure.model_rejected.endpoint': 'Punkt końcowy modelu jest niedozwolony. {reason}',
  'model_failure.model_rejected.no_tools': 'Model nie potrafi wywoływać narzędzi.',
  'model_failure.model_rejected.redirect':
    'Dostawca modelu przekierowuje (stan {status}). Uwzględniane są tylko przekierowania 307 i 308 w obrębie tego samego serwera, aby polecenia nie otrzymał inny. Jako bazowy adres URL ustaw ten, który odpowiada.',
  'model_failure.model_rejected.vectors':
    'Serwer embeddingów nie zwrócił po jednym wektorze dla każdego tekstu.',
  'model_failure.model_timeout': 'Model nie odpowiedział na czas.',
  'model_failure.model_unauthorized': 'Dostawca modelu odrzucił klucz API (OPENAI_API_KEY).',
  'model_failure.model_unauthorized.stored_key':
    'Zapisanego klucza punktu końcowego modelu nie da się już odczytać. Ustaw go ponownie.',
  'model_failure.model_unavailable': 'Dostawca modelu odpowiedział stanem {status}.',
  'model_failure.model_unauthorized.access':
    'Dostawca modelu odmawia dostępu z tym kluczem API (OPENAI_API_KEY){words}.',
  'model_failure.model_unavailable.loading': 'Dostawca modelu odpowiedział stanem {status}: wczytuje model.',
  'model_failure.model_unavailable.no_answer':
    'Pod adresem dostawcy modelu nic nie odpowiada ({code}). Sprawdź, czy serwer działa, oraz bazowy adres URL (OPENAI_BASE_URL).',
  'model_failure.model_unavailable.check_stopped': 'Usługa zatrzymała się przed końcem sprawdzania.',
  'model_failure.model_unavailable.connection':
    'Połączenie z dostawcą modelu nie powiodło się albo zostało przerwane.',
  'model_failure.model_unavailable.cut': 'Dostawca modelu urwał odpowiedź w połowie.',
} as const;
