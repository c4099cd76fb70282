#include "interpreter/libdevice/bessel.h"

#include <boost/math/special_functions/airy.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <cmath>
#include <span>

#include "interpreter/libdevice/elementary.h"

namespace lockstep::interpreter::libdevice {
namespace {

namespace policies = boost::math::policies;
/// Errors become NaN or infinity, not exceptions.
using Quiet =
    policies::policy<policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
                     policies::overflow_error<policies::ignore_error>,
                     policies::underflow_error<policies::ignore_error>,
                     policies::evaluation_error<policies::ignore_error>>;

/// The C library's own functions, if it has them for Wide.
#ifdef __GLIBC__
Wide bessel_j(int n, Wide x) { return n == 0 ? ::j0l(x) : n == 1 ? ::j1l(x) : ::jnl(n, x); }
Wide bessel_y(int n, Wide x) { return n == 0 ? ::y0l(x) : n == 1 ? ::y1l(x) : ::ynl(n, x); }
#else
Wide bessel_j(int n, Wide x) { return boost::math::cyl_bessel_j(n, x, Quiet()); }
Wide bessel_y(int n, Wide x) { return boost::math::cyl_neumann(n, x, Quiet()); }
#endif

constexpr Wide kWidePi = 3.14159265358979323846264338327950288L;
constexpr int kTerms = 16;
constexpr Wide kRadius = 0.0625L;

/// A zero of a function below 8, in two words, and the Taylor coefficients there from the linear one on.
struct Zero {
  Wide high, low;
  Wide coefficient[kTerms];
};
constexpr Zero kJ0[] = {
    {2.4048255576957727685464411L,
     7.519077883636932452698e-20L,
     {-0.5191474972894667881402L, 0.1079387017549200907418L, 0.05660177443794623143703L, -0.008657669593304914020083L,
      -0.002194200359016156083449L, 0.0002643770367526981561223L, 0.00004372919272906664980771L,
      -0.000004338826288615806896767L, -5.304914383475940220711e-7L, 4.470055863485525301124e-8L,
      4.326565167896683180824e-9L, -3.166612624587675574974e-10L, -2.533893299737974117029e-11L,
      1.638714291364584278619e-12L, 1.116979840558934874616e-13L, -6.469518847361671918294e-15L}},
    {5.5200781102863106498089552L,
     -2.123510404485085722224e-19L,
     {0.3402648065583681485649L, -0.03082065142559364862897L, -0.05298855286760462693111L, 0.00463104214590764441007L,
      0.00225744022903290014088L, -0.0001751857289941577841768L, -0.00004652109073974323224353L,
      0.000003199786906827506019794L, 5.716490707927506279493e-7L, -3.511535989946742917184e-8L,
      -4.683396243367873982292e-9L, 2.592209204248418771481e-10L, 2.745253382613237348956e-11L,
      -1.380576201866439051492e-12L, -1.20916263367596508598e-13L, 5.566432331017844842573e-15L}},
};
constexpr Zero kJ1[] = {
    {3.8317059702075123156506109L,
     -3.617501492165036725229e-20L,
     {-0.402759395702552972096L, 0.05255614585697723526564L, 0.05341044413272480912836L, -0.005179719245638570205531L,
      -0.002233125339147478189949L, 0.0001746642907201205559364L, 0.00004620870129745837505996L,
      -0.000003036863380299782505427L, -5.727805735140382875509e-7L, 3.248286298212016059477e-8L,
      4.735380569423091206463e-9L, -2.362196187930064799509e-10L, -2.798876498866189760065e-11L,
      1.246229588716384050614e-12L, 1.241854694345245609534e-13L, -4.993136616202627880034e-15L}},
    {7.0155866698156187535699579L,
     -3.290796236210611058479e-20L,
     {0.3001157525261325632066L, -0.02138921280934158159605L, -0.0469704789497414923892L, 0.003130291726048091030457L,
      0.002105587143248276452801L, -0.0001255079095514558459758L, -0.00004499147530293067743426L,
      0.000002401580796309322063933L, 5.665270011548330526018e-7L, -2.727342767799157162136e-8L,
      -4.720483003544980307731e-9L, 2.065348676100160993189e-10L, 2.800572526275013988247e-11L,
      -1.121638022941761593456e-12L, -1.244540205104378420341e-13L, 4.592024776648400076555e-15L}},
};
constexpr Zero kY0[] = {
    {0.8935769662791675216058189L,
     -2.093179479874921096502e-20L,
     {0.8794208024971947710548L, -0.492078934262977554219L, 0.2205528284816764261706L, -0.2261217135441633538503L,
      0.2189484270103812986692L, -0.2048771979061479325983L, 0.1973356693290941020968L, -0.1939500905873671770114L,
      0.1933761857036059031878L, -0.1950649278096434735119L, 0.1986667792183250764744L, -0.203961937082955827359L,
      0.2108212340854290752399L, -0.2191783726800134008097L, 0.2290129051969700741575L, -0.2403396410491156624424L}},
    {3.9576784193148578684662287L,
     -9.055146506501796958004e-20L,
     {-0.402542671775024235722L, 0.05085590959215823406002L, 0.05852382210517024311489L, -0.006852566677111002192376L,
      -0.002183518874049356439023L, 0.0001952694024509755046483L, 0.00005092291380651107562594L,
      -0.000004893369328096107623198L, -2.934881458159740798147e-7L, -2.185341725673582181187e-8L,
      1.892809112666343557762e-8L, -3.656723830593717598264e-9L, 7.669452749351834173159e-10L,
      -1.861310232979499280963e-10L, 4.464267239350339542706e-11L, -1.060691264967478311024e-11L}},
    {7.0860510603017726975055846L,
     1.18040043963080694998e-19L,
     {0.3000976149104751862253L, -0.0211752365567695309345L, -0.04802407007625987768079L, 0.003318348268895631590201L,
      0.002175984016443104168176L, -0.0001406025977408225070241L, -0.00004595140670688436493998L,
      0.000002701363792739060886961L, 5.749349569687991456439e-7L, -3.09847025236684209519e-8L,
      -4.717221546843204121068e-9L, 2.302945652482535118609e-10L, 2.826857282771058549506e-11L,
      -1.312008291259082640983e-12L, -1.165626659934818269339e-13L, 4.266001321048787171023e-15L}},
};
constexpr Zero kY1[] = {
    {2.1971413260310170350534525L,
     9.558101639853199481608e-20L,
     {0.5207864124022675111072L, -0.1185145457490966085094L, -0.03285739740528640971164L, -0.004797811670105437566231L,
      0.007422553332707468527493L, -0.002595241688264201551533L, 0.001066853000054779797186L,
      -0.0005096013043558058528088L, 0.0002358699837551760903509L, -0.0001077604381503859994293L,
      0.00004924428615146200596914L, -0.00002249113208532090530011L, 0.00001026385194565688518639L,
      -0.000004681289735668145256341L, 0.000002134247110136465624787L, -9.727238704937524529075e-7L}},
    {5.4296810407941351328542368L,
     -8.22315673960052706735e-20L,
     {-0.3403180455234405582259L, 0.03133867744408668512506L, 0.05094793974342009068016L, -0.004160115934390690582461L,
      -0.002165998751088117333337L, 0.000146620892893443414315L, 0.00004645867906118146204923L,
      -0.000002863862537213280958536L, -5.464420657131470239057e-7L, 2.550514477423095233206e-8L,
      5.5980346469740185362e-9L, -3.855618830613433947851e-10L, 2.276562008746561285371e-12L,
      -4.437750579075913336186e-12L, 1.170626603286155449478e-12L, -1.98978836754233214262e-13L}},
};

/// The function near one of its zeros; false if no zero is near x > 0.
bool near_zero(std::span<const Zero> zeros, Wide x, Wide& value) {
  for (const Zero& zero : zeros) {
    if (!(std::fabs(x - zero.high) <= kRadius)) continue;
    const Wide t = (x - zero.high) - zero.low;
    Wide sum = zero.coefficient[kTerms - 1];
    for (int k = kTerms - 2; k >= 0; --k) sum = sum * t + zero.coefficient[k];
    value = sum * t;
    return true;
  }
  return false;
}

/// For the uniform expansions at z = x / n: zeta, the fourth root of 4 zeta / (1 - z^2), and the coefficient B0.
struct Turning {
  Wide zeta, factor, correction;
};
Turning turning_of(Wide z) {
  const Wide gap = (1 - z) * (1 + z);
  const Wide cube_root = std::cbrt(Wide{2});
  if (std::fabs(gap) < 1e-6L) return {cube_root * (1 - z) * (1 + 0.3L * (1 - z)), cube_root, cube_root / 70};
  const Wide root = std::sqrt(std::fabs(gap));
  const Wide area = gap > 0 ? std::log((1 + root) / z) - root : root - std::acos(1 / z);
  const Wide magnitude = std::pow(1.5L * area, 2.0L / 3);
  const Wide zeta = gap > 0 ? magnitude : -magnitude;
  const Wide factor = std::sqrt(std::sqrt(4 * zeta / gap));
  // The closed form of B0 cancels around z = 1.
  if (std::fabs(gap) < 1e-3L) return {zeta, factor, cube_root / 70};
  const Wide inner = 5 / (24 * root * root * root) + (gap > 0 ? -1 : 1) / (8 * root);
  return {zeta, factor, inner / std::sqrt(magnitude) - 5 / (48 * zeta * zeta)};
}

/// Two terms of Olver's expansion for a large order: J or -Y of order n at x > 0 (Abramowitz and Stegun 9.3.35).
Wide uniform_expansion(int n, Wide x, bool is_second_kind) {
  const Wide order = n, scale = std::cbrt(order);
  const Turning turning = turning_of(x / order);
  const Wide argument = scale * scale * turning.zeta;
  if (argument > 700) return is_second_kind ? kInfinity<Wide> : 0;
  const Wide airy = is_second_kind ? boost::math::airy_bi(argument, Quiet()) : boost::math::airy_ai(argument, Quiet());
  const Wide slope =
      is_second_kind ? boost::math::airy_bi_prime(argument, Quiet()) : boost::math::airy_ai_prime(argument, Quiet());
  return turning.factor * (airy / scale + slope * turning.correction / (scale * scale * order));
}

/// Hankel's leading term with the first correction of the phase, for x far above n^2.
Wide far_expansion(int n, double x, bool is_second_kind) {
  const Wide shift = static_cast<Wide>(n) / static_cast<Wide>(x) * n / 2;
  const Wide phase = static_cast<Wide>(n % 4) * (kWidePi / 2) + kWidePi / 4 - shift;
  const Wide cosine = std::cos(x), sine = std::sin(x);
  const Wide value = is_second_kind ? sine * std::cos(phase) - cosine * std::sin(phase)
                                    : cosine * std::cos(phase) + sine * std::sin(phase);
  return std::sqrt(2 / (kWidePi * static_cast<Wide>(x))) * value;
}

constexpr double kFar = 1e17;

Wide first_kind(int n, double x) {
  if (std::isnan(x) || n < 0) return kNan<Wide>;
  if (std::isinf(x)) return 0;
  if (n == 0) return j0_f64(x);
  if (n == 1) return j1_f64(x);
  if (n <= kLargestRecurrence) return bessel_j(n, static_cast<Wide>(x));
  const double distance = std::fabs(x);
  if (distance == 0) return 0;
  const Wide value =
      distance > kFar ? far_expansion(n, distance, false) : uniform_expansion(n, static_cast<Wide>(distance), false);
  return x < 0 && n % 2 != 0 ? -value : value;
}

Wide second_kind(int n, double x) {
  if (std::isnan(x) || n < 0 || x < 0) return kNan<Wide>;
  if (x == 0) return -kInfinity<Wide>;
  if (std::isinf(x)) return 0;
  if (n == 0) return y0_f64(x);
  if (n == 1) return y1_f64(x);
  if (n <= kLargestRecurrence) return bessel_y(n, static_cast<Wide>(x));
  return x > kFar ? far_expansion(n, x, true) : -uniform_expansion(n, static_cast<Wide>(x), true);
}

/// Orders 0 and 1 of the second kind.
double second_kind_of(std::span<const Zero> zeros, int order, double x) {
  if (std::isnan(x) || x < 0) return kNan<double>;
  if (x == 0) return -kInfinity<double>;
  if (std::isinf(x)) return 0;
  Wide value = 0;
  return static_cast<double>(near_zero(zeros, x, value) ? value : bessel_y(order, x));
}

}  // namespace

double j0_f64(double x) {
  if (std::isinf(x)) return 0;
  Wide value = 0;
  const Wide distance = std::fabs(x);
  return static_cast<double>(near_zero(kJ0, distance, value) ? value : bessel_j(0, distance));
}

double j1_f64(double x) {
  if (std::isinf(x)) return std::copysign(0.0, x);
  Wide value = 0;
  const Wide distance = std::fabs(x);
  return std::copysign(1.0, x) * static_cast<double>(near_zero(kJ1, distance, value) ? value : bessel_j(1, distance));
}

double y0_f64(double x) { return second_kind_of(kY0, 0, x); }
double y1_f64(double x) { return second_kind_of(kY1, 1, x); }

double jn_f64(int n, double x) { return static_cast<double>(first_kind(n, x)); }
double yn_f64(int n, double x) { return static_cast<double>(second_kind(n, x)); }
float jn_f32(int n, float x) { return static_cast<float>(first_kind(n, static_cast<double>(x))); }
float yn_f32(int n, float x) { return static_cast<float>(second_kind(n, static_cast<double>(x))); }

}  // namespace lockstep::interpreter::libdevice
