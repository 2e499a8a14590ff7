/** Texts of a Polish popular astronomy magazine, and drafts for it by several authors, with the same marks as the museum's. */
export const observatoryCorpus = [
  `# Dlaczego gwiazdy mrugają

Światło gwiazdy podróżuje do nas setki lat, a psuje je ostatnia tysięczna część sekundy. Tyle czasu potrzebuje na przejście przez atmosferę, w której ciepłe i zimne warstwy powietrza mieszają się bez ustanku. Każda z nich załamuje promień trochę inaczej.

## Planety świecą spokojniej

Planeta ma na niebie rozmiar, gwiazda jest punktem. Drgania z różnych części tarczy planety znoszą się wzajemnie, dlatego Jowisz świeci równo nawet nisko nad horyzontem. To najprostszy test dla początkujących – i działa w dziewięciu przypadkach na dziesięć.

## Co z tym robią astronomowie

Obserwatorium Borowa Góra stoi na wysokości 1 180 metrów, powyżej najgorszej mgły. 12 maja 2019 r. uruchomiono tam układ optyki adaptatywnej, którego lustro zmienia kształt 800 razy na sekundę. „Widzimy teraz to, co dotąd liczyliśmy” – mówiła podczas otwarcia prof. Hanna Zielińska. Obraz jest ostrzejszy o 40%, a czas ekspozycji skrócił się 2,5 raza.`,

  `# Jak zważyć planetę

Planety nie da się postawić na wadze. Można jednak patrzeć, jak przyciąga inne ciała. Im cięższa planeta, tym szybciej biegną wokół niej księżyce. Wystarczy zmierzyć odległość i czas jednego obiegu, a resztę załatwia wzór, który Izaak Newton podał w 1687 roku.

## Kłopot z Wenus

Wenus nie ma księżyca. Jej masę przez dwa stulecia szacowano z drobnych zaburzeń w ruchu Ziemi, a wyniki różniły się nawet o 3,5%. Dopiero sonda, która przeleciała obok niej 14 grudnia 1962 r., dała liczbę godną zaufania.

## Pomiar w szkolnej pracowni

Podobny pomiar można powtórzyć na małej lunecie. Uczniowie z Kalwina śledzili cztery księżyce Jowisza przez 21 nocy. Błąd wyniósł 8%, co prof. Zielińska nazwała „wynikiem lepszym niż mój pierwszy”. Ich wykresy wiszą w holu obserwatorium Borowa Góra.`,

  `# Meteoryt z ogrodu

Kamień wpadł do ogrodu państwa Malickich w nocy z soboty na niedzielę. Ważył 1 340 gramów, był czarny i miał gładką skorupę. Rano znalazł go pies. Dopiero po tygodniu ktoś skojarzył dziurę w grządce z hukiem, który słyszało pół Kalwina.

## Droga do laboratorium

Próbkę zbadano w obserwatorium Borowa Góra. Okazało się, że to chondryt zwyczajny, najczęstszy typ meteorytu. Najczęstszy nie znaczy nudny – w jego wnętrzu są ziarna starsze od Ziemi. Analiza trwała od 3 lutego 2021 r. do końca kwietnia i kosztowała 12 500 złotych.

## Ile tego spada

Na powierzchnię Polski spada rocznie około 20 kamieni większych niż pięść. Znajduje się może 2% z nich. Reszta leży w lasach, jeziorach i na dachach. „Ludzie patrzą w górę, a trzeba patrzeć pod nogi” – żartuje dr Paweł Orski, który opisał znalezisko.`,

  `# Noc pod ciemnym niebem

Prawdziwie ciemnego nieba prawie już nie ma. Łuna nad miastem sięga 60 kilometrów, a pojedyncza lampa przy drodze potrafi zepsuć zdjęcie Drogi Mlecznej. W okolicy Kalwina zostały trzy miejsca, z których widać ponad 4 000 gwiazd.

## Jak się przygotować

Oko przyzwyczaja się do ciemności przez pół godziny. Jedno spojrzenie w ekran telefonu cofa cały proces. Doświadczeni obserwatorzy używają czerwonych latarek i ubierają się cieplej, niż podpowiada rozsądek. Termos z herbatą waży 0,9 kilograma i jest wart każdego grama.

## Akcja gaszenia lamp

18 września 2020 r. gmina wyłączyła oświetlenie na dwie godziny. Zużycie prądu spadło o 6%, a na łące obok obserwatorium Borowa Góra zebrało się 700 osób. Dr Orski naliczył 31 meteorów. Kilkoro dzieci widziało je pierwszy raz w życiu.`,
];

export const observatoryDrafts = [
  `# Zegar słoneczny na rynku

Zegar na ścianie ratusza w Kalwinie pokazuje godzinę, której nikt nie używa. Różni się od czasu urzędowego o 17 minut zimą i o ponad godzinę latem. Tak liczono czas, zanim pociągi zmusiły miasta do zgody. Tarczę odnowiono ⟦date_format|2022-06-21⟧, w dzień przesilenia.

## Jak go czytać

Cień wskazówki pada na ⟦repeated_word|na na⟧ linie godzinowe tylko wtedy, gdy świeci słońce. Brzmi to jak żart, ale konserwator ⟦quotation_marks|"policzył wszystkie pochmurne dni"⟧ z ostatnich lat. Zegar działał przez 43% czasu. Poprawkę na równanie czasu obliczyli uczniowie ⟦dash|-⟧ i pomylili się tylko raz. Projekt poprawiła prof. Hanna ⟦term_spelling|Zielinska⟧.`,

  `# Kometa, która się spóźniła

Kometa miała pojawić się w marcu, a przyszła w lipcu. Orbitę policzono z ośmiu obserwacji, z których dwie były błędne. Różnica ⟦decimal_mark|1.5⟧ stopnia wystarczyła, by cały świat szukał jej w złym miejscu.

⟦heading_level|#### Pierwsze zdjęcie⟧

Zdjęcie zrobiono w obserwatorium ⟦term_spelling|Borowa góra⟧ o trzeciej nad ranem. ⟦person|Pamiętam, że ręce miałem zmarznięte i nie mogłem trafić w spust.⟧ Na płycie widać było smugę długości 3 milimetrów.

## Co dalej

Kometa wróci za 76 lat. Do tego czasu jej jądro straci ⟦thousands|1200000⟧ ton pyłu, czyli niecałe 0,1% masy.`,

  `# ⟦heading_case|Księżyc I Pływy Na Bałtyku⟧

Na Bałtyku pływów prawie nie widać. Morze jest zbyt małe i zbyt zamknięte, żeby Księżyc zdążył je podnieść. W Świnoujściu różnica poziomów nie przekracza 2 centymetrów, a wiatr potrafi zmienić ją o metr.

## Skąd to wiadomo

⟦overlong_sentence|Pierwsze pomiary prowadził w drugiej połowie dziewiętnastego wieku kapitan portu, który przez jedenaście lat co godzinę, także w nocy i w święta, odczytywał wodowskaz przy latarni, zapisywał wynik w zeszycie oprawionym w płótno, a potem wysyłał odpisy do trzech różnych akademii nauk, z których odpowiedziała mu tylko jedna.⟧ Zeszyty przetrwały do dziś. Dr Paweł ⟦term_spelling|Orksi⟧ przepisał je do komputera i ⟦repeated_word|i i⟧ znalazł w nich to, czego kapitan nie mógł zobaczyć: fale o okresie 27 dni.`,

  `# Nowa kopuła

Stara kopuła ważyła ⟦thousands|14.000⟧ kilogramów i skrzypiała tak, że słyszano ją we wsi. Nowa jest lżejsza o 60% i obraca się bez dźwięku⟦exclamation|!⟧ Zamontowano ją w ciągu jednej nocy, żeby nie stracić ani jednego okna pogodowego.

## Koszty

Remont pochłonął 2 300 000 złotych. ⟦quotation_marks|"Za tyle mielibyśmy drogę"⟧ – komentował wójt, ale podpis złożył. Umowę podpisano ⟦date_format|05.10.2021⟧, a odbiór odbył się rok później. Szczelina ma ⟦decimal_mark|3.2⟧ metra szerokości⟦space_before_mark| ⟧, więc zmieści się w niej także większy teleskop.`,

  `# Czego nie widać na zdjęciu z teleskopu

Zdjęcie z teleskopu jest zawsze czarno-białe. Kolor dodaje się później, z trzech filtrów, i jest w tym tyle samo nauki, co gustu. Dwie osoby obrobią tę samą mgławicę na dwa sposoby⟦ellipsis|...⟧ i obie będą miały rację.

## Szum

Największym wrogiem jest ciepło. Matrycę chłodzi się do minus 40 stopni, a i tak co tysięczny punkt świeci sam z siebie. Z 200 klatek zostaje zwykle 140. Reszta trafia do kosza ⟦dash|—⟧ przez wiatr, satelity albo nietoperze.

## Cierpliwość

Zdjęcie, które 9 marca 2022 r. obiegło świat, powstawało 11 nocy. Jego autor pracuje w banku. ⟦quotation_marks|«Teleskop kosztował mniej niż samochód»⟧ – powiedział, a ⟦term_spelling|Obserwatorium Borowa Gora⟧ wydrukowało je w formacie plakatu.`,

  `# Biblioteka pełna gwiazd

W piwnicy biblioteki w Kalwinie leży 640 szklanych płyt. Każda z nich to jedna noc z lat 1911–1938. Płyty przetrwały wojnę w skrzyni po jabłkach, a ⟦repeated_word|a a⟧ odnalazł je stolarz, który szukał desek.

## Skanowanie

Skanowanie jednej płyty trwa 25 minut. Gotowy plik ma rozmiar ⟦decimal_mark|1.8⟧ gigabajta. Do ⟦date_format|30/11/2022⟧ udało się przenieść połowę zbioru. ⟦person|Uważam, że to najlepiej wydane pieniądze w historii gminy.⟧

## Znalezisko

Na płycie numer 212 jest gwiazda, której nie ma w żadnym katalogu. Świeciła przez cztery noce i zgasła. Prof. ⟦term_spelling|Zielińksa⟧ sądzi, że to nowa. „Czekała na nas 90 lat, poczeka jeszcze rok” – dodaje.`,

  `# Echo radiowe z Kasjopei

Na częstotliwości 20 megaherców niebo trzeszczy. Część tego trzasku to burze na Jowiszu, część zakłócenia z domowych zasilaczy. Licealiści z Kalwina zbudowali antenę z drutu i listew za ⟦thousands|1.150⟧ złotych.

## Pierwszy sygnał

Sygnał przyszedł ⟦date_format|4 IV 2023⟧, tuż po północy. Trwał 6 sekund i miał kształt piłokształtny. Najpierw podejrzewano lodówkę, potem sąsiada. Dopiero trzecie powtórzenie, o tej samej porze gwiazdowej, rozwiało wątpliwości.

## Wnioski

⟦repeated_word|Antena antena⟧ nie musi być droga. Musi być długa, prosta i daleko od miasta. ⟦quotation_marks|“To nasz mały Westerbork”⟧ – śmieje się nauczyciel fizyki. Wykresy z ostatnich 30 dni można oglądać w holu szkoły.`,

  `# Satelity a sprawa obserwatorów

⟦opening|W dzisiejszych czasach⟧ nad horyzontem przelatuje w każdej chwili kilkaset satelitów. Po zmierzchu odbijają światło i rysują na zdjęciach białe kreski. Dla oka to ciekawostka, dla kamery katastrofa.

## Liczby

W 2018 roku na orbicie krążyły 2 000 działających satelitów. Pięć lat później było ich ponad ⟦thousands|8000⟧. Na zdjęciach z Borowej Góry ślady ma już 35% klatek ⟦dash|-⟧ trzy razy więcej niż przed pandemią.

## Co można zrobić

Operatorzy malują satelity na czarno. Zysk jest niewielki, ale jest. ⟦overlong_sentence|Astronomowie odpowiadają programami, które przewidują przelot każdego obiektu z dokładnością do sekundy, zamykają na ten czas migawkę, zapisują w nagłówku pliku numer satelity, a po zakończeniu serii łączą pozostałe fragmenty w taki sposób, żeby na gotowym obrazie nie było widać, że czegokolwiek na nim kiedykolwiek brakowało.⟧

⟦closing|Podsumowując⟧, ciemne niebo trzeba dziś rezerwować jak stolik w restauracji.`,

  `# Lustro z kuchni

Lustro teleskopu można oszlifować w kuchni. Potrzebne są dwa krążki szkła, proszek ścierny i dużo wolnych wieczorów. Jan Malicki zrobił to w 1974 roku i używa swojego lustra do dziś.

## Szlifowanie

Ruch jest zawsze ten sam: w przód, w tył, pół kroku w bok. Po 60 godzinach szkło ma kształt misy głębokiej na ⟦decimal_mark|2.4⟧ milimetra. Potem zaczyna się polerowanie, które trwa drugie tyle. ⟦repeated_word|Nie nie⟧ wolno się spieszyć, bo ciepło dłoni psuje kształt.

⟦heading_level|# Próba cienia⟧

Jakość sprawdza się żyletką i żarówką. Błąd nie może przekroczyć ⟦decimal_mark|0.1⟧ mikrometra. „Żona mówiła, że śpię z lustrem”⟦double_space|  ⟧wspomina konstruktor. Teleskop stoi dziś w obserwatorium Borowa Góra, obok tego, który kosztował 400 razy więcej.`,

  `# Zaćmienie na łące

Zaćmienie z 25 października 2022 r. było w Polsce częściowe. Księżyc zasłonił niecałą połowę tarczy, więc kury nie poszły spać. Na łące pod Kalwinem zebrało się jednak ⟦thousands|1,400⟧ osób z filtrami, maskami spawalniczymi i jednym durszlakiem.

## Durszlak

Durszlak okazał się najlepszym przyrządem. Każdy otwór rzuca na kartkę obraz słońca, a zaćmione słońce ma kształt rogala. Dzieci naliczyły 112 rogali. ⟦quotation_marks|"Tego nie ma w podręczniku"⟧ – cieszył się dr Orski.

## Bezpieczeństwo

Patrzenie w słońce bez filtra jest groźne także wtedy, gdy widać tylko wąski sierp. Ratownicy mieli tego dnia 3 wezwania. Następne takie zaćmienie przypada ⟦date_format|12-08-2026⟧ i będzie głębsze. Szczegóły ogłosi obserwatorium ⟦term_spelling|Borowagóra⟧.`,
];
