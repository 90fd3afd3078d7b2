/** Where browsers of this family look for what an administrator has settled. Absolute. */
export const POLICY_PLACES: readonly string[] = [
  "/etc/chromium/policies/managed/cordon.json",
  "/etc/opt/chrome/policies/managed/cordon.json",
  "/etc/opt/edge/policies/managed/cordon.json",
];

/**
 * What a page cannot talk a browser out of (chromeenterprise.google/policies): nothing but the web is
 * opened, no answer goes around the proxy, and the browser tells nobody of itself.
 */
export function managedPolicy(): string {
  return JSON.stringify({
    URLBlocklist: ["*"],
    URLAllowlist: ["http://*", "https://*", "about:blank", "about:srcdoc", "blob:*", "data:*"],
    WebRtcIPHandling: "disable_non_proxied_udp",
    QuicAllowed: false,
    DnsOverHttpsMode: "off",
    BuiltInDnsClientEnabled: false,
    NetworkPredictionOptions: 2,
    ComponentUpdatesEnabled: false,
    SafeBrowsingProtectionLevel: 0,
    MetricsReportingEnabled: false,
    UrlKeyedAnonymizedDataCollectionEnabled: false,
    SearchSuggestEnabled: false,
    SpellCheckServiceEnabled: false,
    TranslateEnabled: false,
    AutofillAddressEnabled: false,
    AutofillCreditCardEnabled: false,
    PasswordManagerEnabled: false,
    BackgroundModeEnabled: false,
    BrowserSignin: 0,
    SyncDisabled: true,
    EnableMediaRouter: false,
    ExtensionInstallBlocklist: ["*"],
    PrivateNetworkAccessRestrictionsEnabled: true,
  });
}
