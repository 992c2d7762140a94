#include "redact/rules.h"

#include <array>
#include <utility>

#include "redact/shapes.h"

namespace rehead::redact {
namespace {

constexpr std::array<std::string_view, kKinds> kNames = {
    "credentials", "cookie", "token",       "password", "key",     "signature", "code",
    "user",        "jwt",    "private-key", "email",    "address", "own",       "opaque"};

// Sources: the lists of the HAR sanitizers of Google, Cloudflare and Edgio ("sanitizers"), of
// browsertime, of dev-proxy, of jfromaniello's and wso2's sanitizers, and the specifications named.
constexpr Rule kRules[] = {
    {"authorization proxyauthorization xauthorization xforwardedauthorization", Kind::credentials,
     in_field | in_member, false, "RFC 9110 11.6.2, 11.7.2"},
    {"cookie cookie2 setcookie setcookie2", Kind::cookie, in_field | in_member, false, "RFC 6265"},
    {"*token tokens accesstokens refreshtokens authtokens *csrf *xsrf csrf* xsrf* jwt bearer "
     "sessionid *sessionid sessionkey sid "
     "phpsessid "
     "jsessionid aspsessionid*",
     Kind::token, anywhere, false, "browsertime, dev-proxy, sanitizers"},
    {"samlrequest samlresponse assertion clientassertion idtokenhint ticket usg shdf fcparams "
     "serverdata vses2 facetid challenge auth",
     Kind::token, in_parameter, false, "sanitizers, wso2"},
    {"samlrequest samlresponse clientassertion", Kind::token, in_member, false, "sanitizers, wso2"},
    {"xclientdata xauth xsession", Kind::token, in_field, false, "sanitizers"},
    {"*password *passwordhash *passwd passwd *passphrase passcode pwd pass otp totp onetimecode "
     "mfacode",
     Kind::password, anywhere, false, "sanitizers, jfromaniello, wso2"},
    {"*apikey *secret *secretkey *accesskey *accesskeyid *privatekey *subscriptionkey consumerkey "
     "*signingkey *encryptionkey *accountkey *authkey",
     Kind::key, anywhere, false, "browsertime, sanitizers"},
    {"key", Kind::key, in_parameter, false, "keys of Google APIs"},
    {"*signature sig hmac xamzcredential xgoogcredential xhubsignature256", Kind::signature,
     anywhere, false, "signed URLs of AWS, Google Cloud, Azure"},
    {"sign policy keypairid", Kind::signature, in_parameter, false, "signed URLs of CloudFront"},
    {"code state nonce codechallenge", Kind::code, in_parameter, false, "RFC 6749 4.1, sanitizers"},
    {"codeverifier authcode authorizationcode devicecode", Kind::code, anywhere, false,
     "RFC 7636, RFC 8628"},
    {"*email *emailaddress mail from login loginid loginemail username userlogin", Kind::email,
     anywhere, true, "jfromaniello, sanitizers"},
    {"ip ipaddress clientip remoteaddr remoteaddress xforwardedfor xrealip forwarded "
     "cfconnectingip trueclientip xclientip serveripaddress",
     Kind::address, anywhere, true, "dev-proxy, jfromaniello"},
};

}  // namespace

std::string_view name_of(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::string_view innocent_names() {
  return "*pagetoken nexttoken prevtoken previoustoken *continuationtoken synctoken";
}

std::span<const Rule> rules() { return kRules; }

std::string rules_text() {
  std::string out =
      "Names, in any case, with or without - and _; * stands for any run of letters:\n";
  for (const Rule& rule : rules()) {
    out += "\n" + std::string(name_of(rule.kind)) + ": ";
    std::string where;
    for (const auto& [place, text] :
         {std::pair{in_field, "fields"}, {in_parameter, "parameters"}, {in_member, "JSON"}}) {
      if ((rule.places & place) == 0) continue;
      where += (where.empty() ? "" : ", ") + std::string(text);
    }
    out += where + (rule.personal ? "; with --pii" : "") + " (" + std::string(rule.source) + ")\n";
    out += "  " + std::string(rule.names) + '\n';
  }
  out += "\nnone: " + std::string(innocent_names()) + "\n";
  out += "\nThe value of every cookie; user and password of a URL.\n\nShapes, under any name:\n\n";
  for (const ShapeRow& row : shape_rows()) {
    out += std::string(name_of(row.kind)) + (row.personal ? ", with --pii: " : ": ") +
           std::string(row.name) + ", " + std::string(row.looks) + " (" + std::string(row.source) +
           ")\n";
  }
  return out;
}

}  // namespace rehead::redact
