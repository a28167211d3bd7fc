/** The words that tell personal members and columns apart, reviewed over all operations (test/personal/members.txt) and report types (test/personal/columns.txt). */

import type { Treatment } from './kinds.ts';

/** Whose data are masked; anywhere in a name: `BuyerInfo`, `customer_contact`, `bill-to-party`. */
export const BUYERS: readonly string[] = [
  ...[
    'buyer',
    'customer',
    'recipient',
    'consignee',
    'receiver',
    'addressee',
    'purchaser',
    'licensee',
    'rater',
  ],
  ...['end user', 'ship to', 'shipto', 'bill to', 'billto', 'deliver to', 'delivery address'],
  ...['billing', 'shipping address', 'destination', 'delivery preference', 'delivery preferences'],
  // Which party of a shipment each of them is stands in a value beside it, not in a name.
  'party info list',
  // Of the XML order reports, beside `BillingData`.
  'fulfillment data',
  // Where a technician comes to.
  'service location',
  // Those of a seller stand with the seller.
  'tax registrations',
  ...[
    'kaufer',
    'kunde',
    'kunden',
    'kaufers',
    'empfanger',
    'empfangers',
    'bewerter',
    'bewerters',
    'acheteur',
    'destinataire',
  ],
  ...['comprador', 'destinatario', 'acquirente', 'koper', 'ontvanger', 'kupujacy', 'odbiorca', 'kopare'],
  ...['mottagare', 'alici', 'client', 'cliente', 'klant', 'kund', 'musteri'],
  // As they are bent: `Nazwa kupującego`, `köparens namn`.
  ...['kupujacego', 'odbiorcy', 'koparens', 'kundens', 'mottagarens'],
];

/** In the name of a value: the seller's own, or those of a company. A buyer in the same name counts more. */
export const OWNERS: readonly string[] = [
  ...['ship from', 'shipfrom', 'bill from', 'return to', 'return address', 'remit to', 'seller', 'merchant'],
  ...[
    'vendor',
    'supplier',
    'shipper',
    'sender',
    'warehouse',
    'store',
    'facility',
    'fulfillment center',
    'fc',
  ],
  ...['departure', 'depart', 'carrier', 'marketplace', 'manufacturer', 'brand', 'responsible person'],
  ...[
    'verkaufer',
    'verkaufers',
    'vendeur',
    'vendedor',
    'venditore',
    'verkoper',
    'sprzedawca',
    'saljare',
    'satici',
  ],
];

/** The same for what holds values: the whole name, or all of it but its last `CONTAINER_WORDS`. */
export const OWN_CONTAINERS: ReadonlySet<string> = new Set([
  ...['ship from', 'ships from', 'shipfrom', 'default ship from', 'default ship from location', 'bill from'],
  ...[
    'return to',
    'return address',
    'return location',
    'remit to',
    'seller',
    'selling',
    'merchant',
    'vendor',
  ],
  ...[
    'supplier',
    'shipper',
    'sender',
    'technician',
    'technicians',
    'assigned technicians',
    'warehouse',
    'store',
  ],
  ...['supply source', 'facility', 'amazon facility', 'fulfillment center', 'departure', 'handover'],
  ...['access point', 'access points', 'access points map', 'carrier', 'marketplace', 'marketplace tax'],
  ...['manufacturer', 'brand'],
  // What a carrier asks the seller for, and what the seller answered.
  ...['additional seller input', 'seller input definition', 'additional inputs'],
  // Where parcels wait for a carrier's manifest.
  'unmanifested shipment',
]);

/** They only say what sort of thing a container is: `shipFromAddress` and `ship_from` are one. */
export const CONTAINER_WORDS: ReadonlySet<string> = new Set([
  ...['address', 'addresses', 'contact', 'party', 'info', 'information', 'details', 'detail', 'data'],
  ...['location', 'locations', 'list', 'entity'],
]);

/** Last words of a container in which a `name` is that of a person or of a company. */
export const PERSONS: ReadonlySet<string> = new Set([
  ...[
    'address',
    'addresses',
    'contact',
    'contacts',
    'person',
    'persons',
    'party',
    'parties',
    'client',
    'guest',
  ],
]);

/** A name that ends with one of them, as a whole word, is a name: where it also says whose. */
export const NAMES: ReadonlySet<string> = new Set(['name', 'nom', 'nome', 'nombre', 'naam', 'nazwa', 'namn']);

/** Of a region: in an address they stay. */
export const REGIONS: readonly string[] = [
  ...['city', 'town', 'municipality', 'locality', 'state', 'region', 'province', 'prefecture', 'emirate'],
  ...['country', 'country code', 'marketplace', 'time zone', 'timezone', 'countrycode', 'stateorregion'],
  ...['stadt', 'ort', 'land', 'bundesland', 'ville', 'pays', 'ciudad', 'pais', 'provincia', 'citta'],
];

/** Numbers behind the lines of an address. */
export const NUMBERS: ReadonlySet<string> = new Set(['one', 'two', 'three', 'four']);

/** `Telefonnummer des Käufers`, `nom de l'acheteur`: what it is stands before them, and whose it is behind. */
export const OF: ReadonlySet<string> = new Set([
  'des',
  'der',
  'du',
  'de',
  'del',
  'dell',
  'della',
  'do',
  'da',
  'van',
]);

const are = (kind: Treatment, ...phrases: readonly string[]): readonly (readonly [string, Treatment])[] =>
  phrases.map((phrase) => [phrase, kind] as const);

/** How a name ends, and what its value is then unless it is the seller's own; the longest that fits counts. */
export const ENDS: ReadonlyMap<string, Treatment> = new Map([
  ...are(
    'e-mail',
    'email',
    'emails',
    'e mail',
    'e mails',
    'email address',
    'email addresses',
    'e mail address',
  ),
  ...are(
    'e-mail',
    'email id',
    'e mail adresse',
    'email adresse',
    'adresse e mail',
    'adresse email',
    'courriel',
  ),
  ...are(
    'e-mail',
    'correo electronico',
    'posta elettronica',
    'e mailadres',
    'emailadres',
    'e post',
    'e posta',
  ),
  ...are(
    'phone',
    'phone',
    'phones',
    'phone number',
    'phone numbers',
    'phone no',
    'telephone',
    'telephone number',
  ),
  ...are('phone', 'mobile number', 'mobile phone', 'cell phone', 'fax', 'fax number', 'tel'),
  ...are('phone', 'telephone no', 'mobile no', 'msisdn'),
  ...are('e-mail', 'email addr', 'e mail addr', 'emailaddress'),
  ...are('phone', 'contact number', 'telefon', 'telefonnummer', 'rufnummer', 'telefono', 'telefone'),
  ...are('phone', 'telefoonnummer', 'numer telefonu', 'telefon numarasi', 'numero de telephone'),
  ...are(
    'address',
    'address line',
    'address field',
    'street',
    'street name',
    'street number',
    'street address',
  ),
  ...are('address', 'house number', 'house no', 'neighborhood', 'neighbourhood', 'district', 'county'),
  ...are(
    'address',
    'district or county',
    'latitude',
    'longitude',
    'strasse',
    'hausnummer',
    'adresszeile',
    'rue',
  ),
  ...are(
    'address',
    'calle',
    'indirizzo',
    'direccion',
    'endereco',
    'bairro',
    'adres',
    'ulica',
    'straat',
    'adress',
    'adres dostawy',
    'indirizzo di spedizione',
    'direccion de envio',
    'adresse de livraison',
    'address lines',
    'addr',
    'full address',
    'formatted address',
  ),
  ...are(
    'address',
    'adresse ligne',
    'adresszusatz',
    'lieferanschrift',
    'rechnungsadresse',
    'rechnungsanschrift',
    'verzendadres',
    'leveransadress',
    'gatuadress',
    'huisnummer',
    'numer domu',
    'sokak',
  ),
  ...are(
    'postcode',
    'postal code',
    'post code',
    'postcode',
    'postal',
    'postalcode',
    'zip',
    'zip code',
    'zipcode',
    'pincode',
  ),
  ...are(
    'postcode',
    'pin code',
    'plz',
    'postleitzahl',
    'code postal',
    'codigo postal',
    'codice postale',
    'cep',
  ),
  ...are('postcode', 'kod pocztowy', 'postnummer', 'posta kodu'),
  ...are(
    'tax number',
    'vat number',
    'vat id',
    'vat no',
    'vat registration number',
    'tax registration number',
  ),
  ...are(
    'tax number',
    'tax registration id',
    'tax id',
    'tax number',
    'tax identification number',
    'taxpayer id',
  ),
  ...are('tax number', 'cpf', 'cnpj', 'gstin', 'gstid', 'gst number', 'cst number', 'siren', 'siret'),
  ...are(
    'tax number',
    'peppol id',
    'codice fiscale',
    'partita iva',
    'e invoice account id',
    'license number',
  ),
  ...are('tax number', 'exemption certificate id', 'passport number', 'national id', 'ust id nr', 'ust idnr'),
  ...are('tax number', 'umsatzsteuer identifikationsnummer', 'numero de tva', 'steuernummer'),
  ...are('buyer name', 'first name', 'last name', 'full name', 'given name', 'family name', 'middle name'),
  ...are('buyer name', 'surname', 'contact name', 'contact person', 'company name', 'company legal name'),
  ...are('buyer name', 'legal company name', 'legal name', 'ship name', 'shipping name', 'bill name'),
  ...are('buyer name', 'address name', 'formal title', 'signed for by', 'signed by', 'received by'),
  ...are('buyer name', 'firstname', 'lastname', 'fullname', 'forename', 'givenname', 'familyname'),
  ...are('buyer name', 'prenom', 'nom de famille', 'apellido', 'apellidos', 'cognome', 'voornaam'),
  ...are('buyer name', 'achternaam', 'imie', 'nazwisko', 'fornamn', 'efternamn', 'soyadi', 'ad soyad'),
  ...are('buyer name', 'kundenname', 'buyername', 'recipientname', 'customername'),
  ...are('buyer text', 'date of birth', 'birth date', 'birthdate', 'birthday', 'dob'),
  ...are('buyer name', 'vorname', 'nachname', 'kaufername', 'empfangername', 'firmenname'),
  ...are('buyer text', 'gift message', 'gift message text', 'gift text', 'gift note', 'customized url'),
  ...are(
    'buyer text',
    'customized page',
    'customization info',
    'customization info data',
    'customization data',
    'delivery instructions',
  ),
  ...are(
    'buyer text',
    'buyer purchase order number',
    'delivery instruction',
    'delivery notes',
    'delivery note',
    'address instructions',
  ),
  ...are(
    'buyer text',
    'address instruction',
    'special instructions',
    'locker access code',
    'delivery photo url',
  ),
  ...are(
    'buyer text',
    'invoice url',
    'einvoice url',
    'e invoice url',
    'geschenknachricht',
    'lieferanweisungen',
  ),
  ...are('buyer text', 'message cadeau', 'mensaje de regalo', 'messaggio regalo'),
  ...are('free text', 'comment', 'comments', 'cancel reason', 'your response', 'message to customer'),
  ...are('free text', 'template attributes', 'custom attributes'),
  ...are('free text', 'kommentar', 'kommentare', 'commentaire', 'commentaires', 'comentario', 'comentarios'),
  ...are('free text', 'commento', 'commenti', 'opmerkingen', 'komentarze', 'kommentarer', 'rating comments'),
]);

/** The same where it is known whose it is; elsewhere these mean other things too. */
export const ENDS_OF_BUYERS: ReadonlyMap<string, Treatment> = new Map([
  ...are('address', 'building', 'apartment', 'complement', 'line', 'business address'),
  ...are('tax number', 'tax registration', 'tax office', 'nip', 'pan', 'rfc', 'nif', 'identification number'),
  ...are('phone', 'mobile'),
  ...are('buyer text', 'instructions', 'note', 'notes', 'message', 'messages', 'order info value'),
]);

/** Whole names of texts, by which containers go as well: `address`, `buyer`. */
export const TEXTS: ReadonlyMap<string, Treatment> = new Map([
  ...are(
    'address',
    'address',
    'adresse',
    'anschrift',
    'arrival address',
    'lieferadresse',
    'shipping address',
    'delivery address',
  ),
  ...are('address', 'destination address', 'billing address', 'ship to address', 'bill to address'),
  ...are('buyer name', 'recipient', 'buyer', 'customer', 'consignee', 'receiver', 'addressee', 'empfanger'),
  ...are('buyer name', 'kaufer', 'destinataire', 'acheteur', 'destinatario', 'comprador', 'acquirente'),
  ...are('buyer name', 'attention'),
  ...are('phone', 'mobile'),
  ...are('buyer text', 'customization'),
]);

/** A member below another: `TaxClassifications.Value`. Both names are whole. */
export const BELOW: ReadonlyMap<string, Treatment> = new Map([
  ['tax classifications > value', 'tax number'],
  ['tax registration attributes > value', 'tax number'],
  ['tax info > number', 'tax number'],
  // Entered by the buyer; elsewhere it is the number by which the operator's orders to a vendor are known.
  ['buyer info > purchase order number', 'buyer text'],
  ['buyer > purchase order number', 'buyer text'],
  // Pairs of the XML order reports: what sort of thing it is, and what it says.
  ['customer order info > value', 'buyer text'],
  // Name and house number of a neighbor.
  ['drop off location > attributes', 'address'],
  // What a buyer entered in a form that the law asks for.
  ['fields > field value', 'buyer text'],
  // Pictures of signatures.
  ['delivery document list > url', 'buyer text'],
]);

/** In writing without blanks a phrase is found anywhere; the first counts. `undefined`: stays, though a later one fits. */
export const UNSPACED: readonly (readonly [phrase: string, Treatment | undefined])[] = [
  ...are('e-mail', 'メール', '邮箱', '邮件'),
  ...are('phone', '電話', '电话', '手机号'),
  ...are('postcode', '郵便番号', '邮编', '邮政编码'),
  ...(['市区町村', '都道府県', '市町村', '国', '城市', '省份', '商品名', '出品者'] as const).map(
    (phrase) => [phrase, undefined] as const,
  ),
  ...are(
    'buyer name',
    '氏名',
    '購入者名',
    '受取人',
    '宛名',
    'お名前',
    '姓名',
    '注文者',
    '届け先名',
    '配送先名',
    '届け先氏名',
    '收件人',
    '收货人',
    '买家姓名',
    '会社名',
  ),
  ...are('buyer text', 'ギフトメッセージ', '配送指示'),
  ...are('free text', 'コメント', '评论'),
  ...are('address', '住所', 'お届け先', '地址', '配送先', '番地', '建物名', '街道', '门牌'),
];
